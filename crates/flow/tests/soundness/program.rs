//! Small random programs with inputs: as trees, and executed naively.

/// How many scalar variables are in non-volatile memory.
pub(crate) const SCALARS: usize = 4;
/// How many elements the array in non-volatile memory has.
pub(crate) const ELEMENTS: usize = 4;
/// All non-volatile words: scalars, then the array.
pub(crate) const WORDS: usize = SCALARS + ELEMENTS;
/// How many local variables there are; they are volatile.
pub(crate) const LOCALS: usize = 3;

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Scalar(usize),
    Element(usize),
    /// An element chosen by a local.
    Indexed(usize),
    /// An element of a matrix of two by two, chosen by two locals.
    Crossed(usize, usize),
    Local(usize),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Constant(u16),
    Of(Place),
    Plus(Place, u16),
    Sum(Place, Place),
    And(Place, u16),
}

/// Of two numbers, or bit by bit: the larger or the smaller one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Join {
    Larger,
    Smaller,
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Assign(Place, Value),
    Input(Place),
    /// `if (value < limit)`.
    If(Value, u16, Vec<Self>, Vec<Self>),
    /// A switch on the low two bits.
    Switch(Value, Vec<Vec<Self>>),
    /// A local counts up to a limit.
    Count(usize, u16, Vec<Self>),
    /// A local counts up to another local's low two bits.
    CountTo(usize, usize, Vec<Self>),
    /// `set(&place, value)`.
    Set(Place, Value),
    /// `maybe(&place, condition, value)`: a function with a branch.
    Maybe(Place, Value, Value),
    /// Copies the first scalar and the second into elements, as one block.
    CopyPair,
    /// Fills the array.
    Clear,
    /// `place |= value` or `place &= value`, perhaps with a local that is given the result.
    Update(Place, Join, Value, Option<usize>),
    /// `if (place < value) place = value;`, or with `>`.
    Clamp(Place, Join, Value),
    /// `if (scalar < limit) { …; scalar = value; … }`.
    Once(usize, u16, Vec<Self>, u16, Vec<Self>),
    /// The number tells the checkpoints apart.
    Checkpoint(usize),
    Return,
}

/// A generator of numbers: the same ones every time.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

/// A random program.
pub(crate) struct Program {
    /// Non-volatile memory at first.
    pub(crate) memory: [u16; WORDS],
    pub(crate) statements: Vec<Statement>,
    pub(crate) checkpoints: usize,
    /// Whether it does things that may be done again.
    pub(crate) repeating: bool,
    /// Whether it branches twice on one local.
    pub(crate) branching: bool,
}

impl Program {
    pub(crate) fn random(random: &mut Random) -> Self {
        Self::made(random, false, false)
    }

    /// A program with branches that others have decided.
    #[allow(dead_code, reason = "not every test has such programs")]
    pub(crate) fn branching(random: &mut Random) -> Self {
        Self::made(random, false, true)
    }

    /// A program with updates and guards.
    pub(crate) fn repeating(random: &mut Random) -> Self {
        Self::made(random, true, false)
    }

    fn made(random: &mut Random, repeating: bool, branching: bool) -> Self {
        let mut program = Self {
            memory: [0; WORDS],
            statements: Vec::new(),
            checkpoints: 0,
            repeating,
            branching,
        };
        let count = 3 + random.below(6);
        program.statements = program.block(random, count, 0, LOCALS);
        program
    }

    /// Locals from `free` on count loops further out: nobody else writes those.
    fn block(
        &mut self,
        random: &mut Random,
        count: usize,
        depth: usize,
        free: usize,
    ) -> Vec<Statement> {
        let mut all = Vec::new();
        for _ in 0..count {
            match self.branching && depth < 2 && random.below(8) == 0 {
                true => all.extend(self.twice(random, depth, free)),
                false => all.push(self.statement(random, depth, free)),
            }
        }
        all
    }

    /// Two branches on one local, and something between them: `if (x < 1) …; y = 2; if (x < 2) …`.
    fn twice(&mut self, random: &mut Random, depth: usize, free: usize) -> Vec<Statement> {
        let condition = Value::Of(Place::Local(random.below(LOCALS)));
        let mut branch = |random: &mut Random| {
            let (then, otherwise) = (1 + random.below(2), random.below(2));
            Statement::If(
                condition,
                1 + random.below(2) as u16,
                self.block(random, then, depth + 2, free),
                self.block(random, otherwise, depth + 2, free),
            )
        };
        let first = branch(random);
        let between = Statement::Assign(target(random, free), value(random));
        vec![first, between, branch(random)]
    }

    fn statement(&mut self, random: &mut Random, depth: usize, free: usize) -> Statement {
        if self.repeating && random.below(3) == 0 {
            return self.repeated(random, depth, free);
        }
        let kinds = if depth < 3 { 20 } else { 12 };
        match random.below(kinds) {
            0..=3 => Statement::Assign(target(random, free), value(random)),
            4..=6 => Statement::Input(target(random, free)),
            7 => Statement::Set(memory(random), value(random)),
            8 => Statement::Maybe(memory(random), value(random), value(random)),
            9 => match random.below(6) {
                0 => Statement::Return,
                1 => Statement::Clear,
                2 => Statement::CopyPair,
                _ => Statement::Assign(target(random, free), value(random)),
            },
            10 => {
                self.checkpoints += 1;
                Statement::Checkpoint(self.checkpoints - 1)
            }
            11 => Statement::Assign(memory(random), value(random)),
            12..=16 => {
                let (then, otherwise) = (1 + random.below(3), random.below(3));
                Statement::If(
                    value(random),
                    1 + random.below(2) as u16,
                    self.block(random, then, depth + 1, free),
                    self.block(random, otherwise, depth + 1, free),
                )
            }
            17 => {
                let arms = (0..3)
                    .map(|_| {
                        let count = random.below(3);
                        self.block(random, count, depth + 1, free)
                    })
                    .collect();
                Statement::Switch(value(random), arms)
            }
            kind if free > 1 => {
                let count = 1 + random.below(2);
                let counter = free - 1;
                let body = self.block(random, count, depth + 1, counter);
                if kind == 18 {
                    let mut body = body;
                    // Loops that fill the array, or a part of it.
                    let place = match random.below(4) {
                        0 => Some(Place::Indexed(counter)),
                        1 => Some(Place::Crossed(counter, random.below(LOCALS))),
                        2 => Some(Place::Crossed(random.below(LOCALS), counter)),
                        _ => None,
                    };
                    let at = random.below(body.len() + 1);
                    let store = place.map(|place| Statement::Assign(place, value(random)));
                    body.splice(at..at, store);
                    Statement::Count(counter, 1 + random.below(4) as u16, body)
                } else {
                    Statement::CountTo(counter, random.below(counter), body)
                }
            }
            _ => Statement::Assign(target(random, free), value(random)),
        }
    }
}

impl Program {
    fn repeated(&mut self, random: &mut Random, depth: usize, free: usize) -> Statement {
        let join = match random.below(2) {
            0 => Join::Larger,
            _ => Join::Smaller,
        };
        let operand = match random.below(3) {
            0 => Value::Of(Place::Local(random.below(LOCALS))),
            _ => Value::Constant(random.below(4) as u16),
        };
        match random.below(if depth < 3 { 3 } else { 2 }) {
            0 => {
                let shown = (free > 0 && random.below(3) == 0).then(|| random.below(free));
                Statement::Update(memory(random), join, operand, shown)
            }
            1 => Statement::Clamp(memory(random), join, operand),
            _ => {
                let (before, after) = (random.below(3), random.below(4) / 3);
                Statement::Once(
                    random.below(SCALARS),
                    1 + random.below(2) as u16,
                    self.block(random, before, depth + 1, free),
                    random.below(4) as u16,
                    self.block(random, after, depth + 1, free),
                )
            }
        }
    }

    /// The inputs of the program, in their order.
    pub(crate) fn inputs(&self) -> Vec<*const Statement> {
        let mut found = Vec::new();
        let mut open: Vec<&Statement> = self.statements.iter().rev().collect();
        while let Some(statement) = open.pop() {
            match statement {
                Statement::Input(_) => found.push(std::ptr::from_ref(statement)),
                Statement::If(_, _, a, b) | Statement::Once(_, _, a, _, b) => {
                    open.extend(a.iter().chain(b).rev());
                }
                Statement::Switch(_, arms) => open.extend(arms.iter().flatten().rev()),
                Statement::Count(_, _, body) | Statement::CountTo(_, _, body) => {
                    open.extend(body.iter().rev());
                }
                _ => {}
            }
        }
        found
    }
}

fn memory(random: &mut Random) -> Place {
    match random.below(12) {
        0 | 1 => Place::Element(random.below(ELEMENTS)),
        2 | 3 => Place::Indexed(random.below(LOCALS)),
        4 => Place::Crossed(random.below(LOCALS), random.below(LOCALS)),
        _ => Place::Scalar(random.below(SCALARS)),
    }
}

fn target(random: &mut Random, free: usize) -> Place {
    if free > 0 && random.below(3) == 0 {
        Place::Local(random.below(free))
    } else {
        memory(random)
    }
}

fn any(random: &mut Random) -> Place {
    if random.below(2) == 0 {
        Place::Local(random.below(LOCALS))
    } else {
        memory(random)
    }
}

fn value(random: &mut Random) -> Value {
    match random.below(6) {
        0 | 1 => Value::Constant(random.below(4) as u16),
        2 | 3 => Value::Of(any(random)),
        4 => match random.below(2) {
            0 => Value::Plus(any(random), 1 + random.below(3) as u16),
            _ => Value::And(any(random), 1 + random.below(3) as u16),
        },
        _ => Value::Sum(any(random), any(random)),
    }
}

/// The state of a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) words: [u16; WORDS],
    pub(crate) locals: [u16; LOCALS],
    /// The last checkpoint passed; the end is the number behind the last one.
    pub(crate) at: Option<usize>,
    /// How many inputs were read since the region began.
    pub(crate) read: usize,
}

/// An execution that goes on from a commit, or stops early.
pub(crate) struct Execution<'p> {
    program: &'p Program,
    inputs: &'p dyn Fn(usize) -> u16,
    /// The commit (0: the start) where `dirty` takes the place of memory and inputs begin anew.
    pub(crate) commit: usize,
    pub(crate) dirty: Option<[u16; WORDS]>,
    /// Inputs from the commit on.
    pub(crate) then: &'p dyn Fn(usize) -> u16,
    /// Stop after so many writes after the commit.
    pub(crate) writes: Option<usize>,
    /// What inputs of the region give by their place, instead of `then`; the region is left then, and the
    /// program goes on to its end.
    pub(crate) places: Option<&'p dyn Fn(Asked) -> u16>,
    /// The inputs that the region asked, and how often before.
    pub(crate) asked: Vec<Asked>,
    /// Memory at the end of the region, and which end it was.
    left: Option<([u16; WORDS], Option<usize>)>,
    /// Stop at the commit itself.
    freeze: bool,
    state: State,
    commits: usize,
    total: usize,
    written: usize,
    steps: usize,
}

/// An input statement, and how often it was asked before.
pub(crate) type Asked = (*const Statement, usize);

/// What can be seen of a region that was left, and of the program at its end.
pub(crate) type Seen = ([u16; WORDS], Option<usize>, [u16; WORDS]);

/// Why an execution stops.
enum Stop {
    /// The next commit, the end, or enough writes.
    There,
    Endless,
}

impl<'p> Execution<'p> {
    pub(crate) fn new(
        program: &'p Program,
        inputs: &'p dyn Fn(usize) -> u16,
        commit: usize,
        then: &'p dyn Fn(usize) -> u16,
    ) -> Self {
        Self {
            program,
            inputs,
            commit,
            dirty: None,
            then,
            writes: None,
            places: None,
            asked: Vec::new(),
            left: None,
            freeze: false,
            state: State {
                words: program.memory,
                locals: [0; LOCALS],
                at: None,
                read: 0,
            },
            commits: 0,
            total: 0,
            written: 0,
            steps: 0,
        }
    }

    /// Executes up to the end of the region after the commit; the state there, the number of
    /// writes in the region, and the checkpoint where it began. None if there is no such commit
    /// or no end.
    pub(crate) fn run(mut self) -> Option<(State, usize, Option<usize>)> {
        let mut began = None;
        if self.commit == 0 {
            self.begin();
            if self.freeze {
                return Some((self.state, 0, None));
            }
        }
        let statements = &self.program.statements;
        let stop = self.block(statements, &mut began);
        match stop {
            Err(Stop::Endless) => return None,
            Err(Stop::There) => {}
            Ok(_) => self.state.at = Some(self.program.checkpoints),
        }
        (self.commits >= self.commit).then_some((self.state, self.written, began))
    }

    /// Executes the region and everything after it; what can be seen, and what was asked.
    pub(crate) fn run_on(mut self) -> Option<(Seen, Vec<Asked>)> {
        if self.commit == 0 {
            self.begin();
        }
        let statements = &self.program.statements;
        match self.block(statements, &mut None) {
            Err(Stop::Endless) => return None,
            Err(Stop::There) | Ok(_) => {}
        }
        if self.commits < self.commit {
            return None;
        }
        let end = (self.state.words, Some(self.program.checkpoints));
        let (words, at) = self.left.unwrap_or(end);
        Some(((words, at, self.state.words), self.asked))
    }

    /// Executes up to a power failure after the last of `writes`; memory then, and what was asked. None if the
    /// region ends before.
    pub(crate) fn fail(mut self) -> Option<([u16; WORDS], Vec<Asked>)> {
        if self.commit == 0 {
            self.begin();
        }
        let statements = &self.program.statements;
        let stop = self.block(statements, &mut None);
        let has_failed = matches!(stop, Err(Stop::There)) && self.left.is_none();
        has_failed.then_some((self.state.words, self.asked))
    }

    /// Memory at a commit.
    pub(crate) fn memory_at(
        program: &'p Program,
        inputs: &'p dyn Fn(usize) -> u16,
        commit: usize,
    ) -> Option<[u16; WORDS]> {
        let mut execution = Self::new(program, inputs, commit, inputs);
        execution.freeze = true;
        let (state, ..) = execution.run()?;
        Some(state.words)
    }

    fn begin(&mut self) {
        if let Some(dirty) = self.dirty {
            self.state.words = dirty;
        }
        self.state.read = 0;
    }

    fn in_region(&self) -> bool {
        self.commits == self.commit
    }

    /// Whether the program returned.
    fn block(&mut self, block: &'p [Statement], began: &mut Option<usize>) -> Result<bool, Stop> {
        for statement in block {
            if self.statement(statement, began)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn statement(
        &mut self,
        statement: &'p Statement,
        began: &mut Option<usize>,
    ) -> Result<bool, Stop> {
        self.steps += 1;
        if self.steps > 2_000 {
            return Err(Stop::Endless);
        }
        match statement {
            Statement::Assign(place, value) | Statement::Set(place, value) => {
                let value = self.value(*value);
                self.write(*place, value)?;
            }
            Statement::Input(place) => {
                let value = if let Some(places) = self.places.filter(|_| self.in_region()) {
                    let place = std::ptr::from_ref(statement);
                    let before = self.asked.iter().filter(|(other, _)| *other == place);
                    let asked = (place, before.count());
                    self.asked.push(asked);
                    places(asked)
                } else if self.in_region() {
                    self.state.read += 1;
                    (self.then)(self.state.read - 1)
                } else {
                    self.total += 1;
                    (self.inputs)(self.total - 1)
                };
                self.write(*place, value)?;
            }
            Statement::If(value, limit, then, otherwise) => {
                let side = if self.value(*value) < *limit {
                    then
                } else {
                    otherwise
                };
                return self.block(side, began);
            }
            Statement::Switch(value, arms) => {
                let arm = usize::from(self.value(*value) & 3).min(arms.len() - 1);
                return self.block(&arms[arm], began);
            }
            Statement::Count(counter, limit, body) => {
                self.state.locals[*counter] = 0;
                while self.state.locals[*counter] < *limit {
                    if self.block(body, began)? {
                        return Ok(true);
                    }
                    self.state.locals[*counter] += 1;
                }
            }
            Statement::CountTo(counter, limit, body) => {
                self.state.locals[*counter] = 0;
                while self.state.locals[*counter] < self.state.locals[*limit] & 3 {
                    self.steps += 1;
                    if self.steps > 2_000 {
                        return Err(Stop::Endless);
                    }
                    if self.block(body, began)? {
                        return Ok(true);
                    }
                    self.state.locals[*counter] += 1;
                }
            }
            Statement::Maybe(place, condition, value) => {
                let (condition, value) = (self.value(*condition), self.value(*value));
                if condition != 0 {
                    self.write(*place, value)?;
                }
            }
            Statement::CopyPair => {
                for index in 0..2 {
                    let value = self.state.words[index];
                    self.write(Place::Element(index), value)?;
                }
            }
            Statement::Update(place, join, value, shown) => {
                let (old, value) = (self.read(*place), self.value(*value));
                let value = match join {
                    Join::Larger => old | value,
                    Join::Smaller => old & value,
                };
                self.write(*place, value)?;
                if let Some(local) = shown {
                    self.write(Place::Local(*local), value)?;
                }
            }
            Statement::Clamp(place, join, value) => {
                let (old, value) = (self.read(*place), self.value(*value));
                let is_written = match join {
                    Join::Larger => old < value,
                    Join::Smaller => old > value,
                };
                if is_written {
                    self.write(*place, value)?;
                }
            }
            Statement::Once(scalar, limit, before, value, after) => {
                if self.state.words[*scalar] < *limit {
                    if self.block(before, began)? {
                        return Ok(true);
                    }
                    self.write(Place::Scalar(*scalar), *value)?;
                    return self.block(after, began);
                }
            }
            Statement::Clear => {
                for index in 0..ELEMENTS {
                    self.write(Place::Element(index), 7)?;
                }
            }
            Statement::Checkpoint(number) => {
                if self.in_region() && self.places.is_some() {
                    self.left = Some((self.state.words, Some(*number)));
                } else if self.in_region() {
                    self.state.at = Some(*number);
                    return Err(Stop::There);
                }
                self.commits += 1;
                if self.in_region() {
                    *began = Some(*number);
                    self.begin();
                    if self.freeze {
                        return Err(Stop::There);
                    }
                }
            }
            Statement::Return => return Ok(true),
        }
        Ok(false)
    }

    fn index(&self, place: Place) -> Option<usize> {
        match place {
            Place::Scalar(scalar) => Some(scalar),
            Place::Element(element) => Some(SCALARS + element),
            Place::Indexed(local) => Some(SCALARS + usize::from(self.state.locals[local] & 3)),
            Place::Crossed(row, column) => {
                let bit = |local: usize| usize::from(self.state.locals[local] & 1);
                Some(SCALARS + 2 * bit(row) + bit(column))
            }
            Place::Local(_) => None,
        }
    }

    fn read(&self, place: Place) -> u16 {
        match (place, self.index(place)) {
            (_, Some(index)) => self.state.words[index],
            (Place::Local(local), None) => self.state.locals[local],
            (_, None) => 0,
        }
    }

    fn value(&self, value: Value) -> u16 {
        match value {
            Value::Constant(constant) => constant,
            Value::Of(place) => self.read(place),
            Value::Plus(place, by) => self.read(place).wrapping_add(by),
            Value::Sum(a, b) => self.read(a).wrapping_add(self.read(b)),
            Value::And(place, mask) => self.read(place) & mask,
        }
    }

    fn write(&mut self, place: Place, value: u16) -> Result<(), Stop> {
        match (place, self.index(place)) {
            (_, Some(index)) => {
                self.state.words[index] = value;
                if self.in_region() {
                    self.written += 1;
                    if self.writes == Some(self.written) {
                        return Err(Stop::There);
                    }
                }
            }
            (Place::Local(local), None) => self.state.locals[local] = value,
            (_, None) => {}
        }
        Ok(())
    }
}
