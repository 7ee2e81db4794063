//! Interrupts: a handler runs between two instructions while interrupts are enabled, or where the
//! program sleeps for one (SEMANTICS §1).
//!
//! Whether interrupts are enabled is a word in memory that the guest's library keeps, so that power
//! failures and checkpoints do to it what they do to other memory. Handlers have numbers from 1 on.
//! An interrupt is a call of the library's [`Interrupts::handle`] that no instruction asked for: the
//! interrupted function's registers are out of its reach, and execution goes on where it was.
//!
//! **Which handlers come is an input.** It is asked at places between instructions
//! ([`Interrupts::points`]), and where the program sleeps; matched by place like any other reading. A
//! reading is a list of handlers, one per byte, the first in the lowest byte.
//!
//! **Invariant:** an interrupt that does not come takes no time and changes nothing but how often was
//! asked.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use brownout_ir::{
    Arena, Block, BlockData, Body, Callee, Edge, Func, Global, Id, Inst, Op, Operand, Origin,
    Program, Terminator, Type,
};

use crate::fault::Fault;
use crate::image::RegisterPlace;
use crate::loops::loop_bodies;
use crate::machine::{Frame, Machine};
use crate::observer::Observer;
use crate::readings::ReadingPlace;
use crate::ticks::Ticks;

/// What the guest's library calls the parts that interrupts are made of.
const HANDLE: &str = "__brownout_handle";
pub(crate) const HANDLER: &str = "__brownout_handler";
const STATUS: &str = "__brownout_status";
const LEVEL: &str = "__brownout_level";
/// The function of the library in which a program sleeps.
pub(crate) const SLEEP: &str = "__brownout_sleep";

/// In the status: interrupts are enabled.
const ENABLED: u8 = 8;

/// What a return address of an interrupt looks like: no call has an odd one.
pub(crate) const RETURN_TOKEN: u64 = 1;

/// The pretended inputs that say which handlers come between instructions, and in a sleep.
const ANYWHERE: u32 = u32::MAX;
const ASLEEP: u32 = u32::MAX - 1;

/// The number of no handler: what comes to a program that sleeps and has enabled none.
const NOBODY: u8 = u8::MAX;

/// Handlers that come anywhere come at one place out of so many.
const RARITY: u64 = 8;

/// How interrupts reach a program.
#[derive(Clone, Debug)]
pub struct Interrupts {
    /// The library's function that runs handlers, a list of whose numbers it is given.
    pub handle: Func,
    /// The library's function in which the program sleeps, if it ever does.
    pub sleep: Option<Func>,
    /// The library's variable that says whether interrupts are enabled.
    pub status: Global,
    /// The library's variable that says how urgent what is executed is: who interrupts it is more so.
    pub level: Global,
    /// The handlers, the first of which has number 1.
    pub handlers: Vec<Func>,
    /// How urgent each of them is: less is more urgent, and all are more so than the main program.
    pub priorities: Vec<u8>,
    /// The numbers of handlers that come between instructions.
    pub anywhere: Vec<u8>,
    /// The numbers of handlers that come in a sleep.
    pub asleep: Vec<u8>,
    /// Those of them that leave a sleep as it is, in a program in which others end it: such a handler does not come because
    /// the program sleeps.
    pub passing: Vec<u8>,
    /// The handlers that come again and again, after so many instructions each.
    pub periodic: Vec<(u8, u64)>,
    /// The bits one of which has to be set for a handler to come, by handler; none: it comes anyway.
    pub enables: Vec<Vec<Enable>>,
    /// Where handlers that come anywhere may come: before these instructions of these blocks.
    pub points: BTreeSet<(Func, Block, u32)>,
    /// When they do.
    pub schedule: InterruptSchedule,
    /// The handlers that only count, and the loops that wait for them: nothing if such loops take their time.
    pub ticks: Option<Ticks>,
}

/// Bits of a device register that let a handler come.
#[derive(Clone, Copy, Debug)]
pub struct Enable {
    /// The register.
    pub place: RegisterPlace,
    /// The bits, any of which is enough.
    pub mask: u64,
}

/// When handlers come that may come anywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum InterruptSchedule {
    /// Now and then, at any place.
    #[default]
    Anywhere,
    /// One whenever execution is at this operation.
    At {
        /// The operation.
        pc: u32,
        /// The number of the handler.
        handler: u8,
        /// What handlers do elsewhere.
        elsewhere: Elsewhere,
    },
}

/// What handlers do at other places than the chosen one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Elsewhere {
    /// They do not come.
    Absent,
    /// They come now and then: some programs get nowhere without them.
    NowAndThen,
}

/// The interrupt points of an image.
impl crate::image::Image {
    /// The same image, but handlers that may come anywhere come when `schedule` says.
    #[must_use]
    pub fn with_interrupts(&self, schedule: InterruptSchedule) -> Self {
        let mut image = self.clone();
        if let Some(interrupts) = &mut image.bindings.interrupts {
            interrupts.schedule = schedule;
        }
        image
    }

    /// Whether handlers may come between instructions.
    pub fn is_interruptible(&self) -> bool {
        let interrupts = self.bindings.interrupts.as_ref();
        interrupts.is_some_and(|interrupts| !interrupts.points.is_empty())
    }
}

/// What the parts are of a program whose library has them.
#[derive(Clone, Copy, Debug)]
pub struct InterruptSupport {
    /// Runs handlers, a list of whose numbers it is given.
    pub handle: Func,
    /// Sleeps, if the program ever does.
    pub sleep: Option<Func>,
    /// Says whether interrupts are enabled.
    pub status: Global,
    /// Says how urgent what is executed is.
    pub level: Global,
}

/// Gives the library's function that calls the handler of a number its body, which says first how
/// urgent that handler is. Nothing if the program was linked without what interrupts need.
pub fn add_handlers(program: &mut Program, handlers: &[(Func, u8)]) -> Option<InterruptSupport> {
    let handle = program.function(HANDLE)?;
    let dispatch = program.function(HANDLER)?;
    let global = |name: &str| {
        let mut globals = program.globals.iter();
        globals
            .find(|(_, data)| data.name == name)
            .map(|(global, _)| global)
    };
    let (status, level) = (global(STATUS)?, global(LEVEL)?);
    let &ty = program.functions[dispatch].params.first()?;
    let mut body = Body::default();
    let number = body.values.push(ty);
    let block = |insts: Vec<Inst>, terminator: Terminator| BlockData {
        params: vec![],
        insts,
        terminator,
        place: None,
    };
    let end = Block::from_index(handlers.len() + 1);
    let edge = |block: Block| Edge {
        block,
        args: vec![],
    };
    let mut blocks = Arena::new();
    let cases = (1..).zip(handlers);
    let cases = cases.map(|(number, _)| (number as u128, edge(Block::from_index(number))));
    blocks.push(BlockData {
        params: vec![number],
        ..block(
            vec![],
            Terminator::Switch {
                ty,
                value: number.into(),
                cases: cases.collect(),
                default: edge(end),
            },
        )
    });
    for &(handler, priority) in handlers {
        let urgency = Inst {
            results: vec![],
            op: Op::Store {
                ty: Type::Int(8),
                address: Operand::Global(level, 0),
                value: Operand::Bits(priority.into()),
                volatile: false,
            },
            place: None,
        };
        let function = &program.functions[handler];
        let results = function.results.iter().map(|&ty| body.values.push(ty));
        let call = Inst {
            results: results.collect(),
            op: Op::Call {
                callee: Callee::Direct(handler),
                args: vec![Operand::Bits(0); function.params.len()],
                arg_types: function.params.clone(),
                result_types: function.results.clone(),
            },
            place: None,
        };
        blocks.push(block(vec![urgency, call], Terminator::Jump(edge(end))));
    }
    blocks.push(block(vec![], Terminator::Return(vec![])));
    body.blocks = blocks;
    let function = &mut program.functions[dispatch];
    function.body = Some(body);
    function.origin = Origin::Library;
    Some(InterruptSupport {
        handle,
        sleep: program.function(SLEEP),
        status,
        level,
    })
}

/// The places between instructions of the user's code at which it matters whether an interrupt comes:
/// in front of what may access memory that others see, and of calls; and at the end of the head of a
/// loop that does none of this, where a program waits for interrupts.
pub fn interrupt_points(
    program: &Program,
    is_interruptible: &dyn Fn(Func) -> bool,
) -> BTreeSet<(Func, Block, u32)> {
    let mut points = BTreeSet::new();
    for (func, function) in program.functions.iter() {
        if function.origin != Origin::User || !is_interruptible(func) {
            continue;
        }
        let Some(body) = &function.body else { continue };
        for (block, data) in body.blocks.iter() {
            let insts = (0..).zip(&data.insts);
            let places = insts.filter(|(_, inst)| is_seen(&inst.op));
            points.extend(places.map(|(index, _)| (func, block, index)));
        }
        for (head, members) in loop_bodies(body) {
            let has_point = |&member: &Block| {
                let first = (func, member, 0);
                points
                    .range(first..)
                    .next()
                    .is_some_and(|&(its, block, _)| (its, block) == (func, member))
            };
            if !members.iter().any(has_point) {
                points.insert((func, head, body.blocks[head].insts.len() as u32));
            }
        }
    }
    points
}

/// Whether it can matter that something happens right before an instruction.
fn is_seen(op: &Op) -> bool {
    let is_shared = |address: &Operand| !matches!(address, Operand::Slot(..));
    match op {
        Op::Load { address, .. } | Op::Store { address, .. } => is_shared(address),
        Op::Copy { to, from, .. } => is_shared(to) || is_shared(from),
        Op::Fill { to, .. } => is_shared(to),
        Op::Call { .. } | Op::Service { .. } => true,
        _ => false,
    }
}

impl ReadingPlace {
    /// Whether what was read there is which handlers come between instructions.
    pub fn is_interrupt(&self) -> bool {
        self.input == ANYWHERE
    }

    /// Whether what was read there is which handlers end a sleep.
    pub fn is_sleep(&self) -> bool {
        self.input == ASLEEP
    }

    /// Whether it says which handlers come, there or in a sleep.
    pub(crate) fn is_of_handlers(self) -> bool {
        self.input >= ASLEEP
    }
}

/// The handlers of one reading and, after them, those of another.
pub fn join_handlers(first: u64, then: u64) -> u64 {
    let used = 8 - first.leading_zeros() / 8;
    match used {
        8 => first,
        used => first | then << (8 * used),
    }
}

impl Machine<'_> {
    /// Whether a handler may come now.
    fn is_interruptible(&self, interrupts: &Interrupts) -> bool {
        self.library_byte(interrupts.status) & ENABLED != 0
    }

    /// Whether a handler is more urgent than what is executed, and not in progress itself.
    fn may_come(&self, interrupts: &Interrupts, handler: u8) -> bool {
        let index = usize::from(handler).wrapping_sub(1);
        let (Some(&priority), Some(&function)) = (
            interrupts.priorities.get(index),
            interrupts.handlers.get(index),
        ) else {
            return false;
        };
        let mut frames = self.processor.frames.iter();
        priority < self.library_byte(interrupts.level)
            && !frames.any(|frame| frame.function as usize == function.index())
            && self.is_handler_enabled(interrupts, handler)
    }

    /// Whether the device lets a handler come, as far as that is known.
    fn is_handler_enabled(&self, interrupts: &Interrupts, handler: u8) -> bool {
        let index = usize::from(handler).wrapping_sub(1);
        let bits = interrupts.enables.get(index);
        bits.is_none_or(|bits| {
            let mut bits = bits.iter();
            bits.len() == 0 || bits.any(|bits| self.is_set(bits))
        })
    }

    fn is_set(&self, bits: &Enable) -> bool {
        let Some(offset) = self.image.layout.register(bits.place) else {
            return false;
        };
        let mask = bits.mask.to_le_bytes();
        let bytes = self.memory.iter().skip(offset as usize);
        bytes.zip(mask).any(|(byte, mask)| byte & mask != 0)
    }

    /// The first byte of a variable of the library.
    fn library_byte(&self, global: Global) -> u8 {
        let layout = &self.image.layout;
        let offset = layout.offset_of(global) as usize;
        self.memory.get(offset).copied().unwrap_or(0)
    }

    /// Execution is at a place between two instructions. Whether handlers come: then they are what is
    /// executed next.
    pub(crate) fn interrupt(&mut self, observer: &mut dyn Observer) -> Result<bool, Fault> {
        let image = self.image;
        let Some(interrupts) = &image.bindings.interrupts else {
            return Ok(false);
        };
        if !self.is_interruptible(interrupts) {
            return Ok(false);
        }
        let pc = self.processor.pc;
        // Where it is known that none comes, nobody waits for one.
        let may_come_here = match interrupts.schedule {
            InterruptSchedule::At {
                pc: at,
                elsewhere: Elsewhere::Absent,
                ..
            } => pc == at,
            InterruptSchedule::At { .. } | InterruptSchedule::Anywhere => true,
        };
        self.interrupts_asked += u64::from(may_come_here);
        observer.interruptible(self.moment());
        let place = self.reading_place(ANYWHERE, pc);
        let here = match interrupts.schedule {
            InterruptSchedule::At {
                pc: at, handler, ..
            } if pc == at && self.may_come(interrupts, handler) => Some(u64::from(handler)),
            InterruptSchedule::At {
                elsewhere: Elsewhere::Absent,
                ..
            } => Some(0),
            InterruptSchedule::At { .. } | InterruptSchedule::Anywhere => None,
        };
        let handlers = match (place, here) {
            (Some(place), _) if self.are_interrupts_given() => self.given(place).unwrap_or(0),
            (_, Some(handler)) => handler,
            (Some(place), None) if self.reads_by_place() => {
                let all = interrupts.anywhere.iter();
                let periodic = interrupts.periodic.iter().map(|(handler, _)| handler);
                chosen(&all.chain(periodic).copied().collect::<Vec<u8>>(), &place)
            }
            (_, None) => match self.due(interrupts) {
                0 => chosen(&interrupts.anywhere, &self.interrupts_asked),
                due => due,
            },
        };
        let is_chosen = here.is_none() && !self.are_interrupts_given();
        let handlers = match is_chosen && !self.may_come(interrupts, handlers as u8) {
            true => 0,
            false => handlers,
        };
        if handlers == 0 {
            return Ok(false);
        }
        if let Some(place) = place {
            self.note_interrupt(place, handlers);
        }
        self.skip_ticks(interrupts, handlers);
        let return_to = self.processor.pc + 1;
        self.enter_interrupt(interrupts.handle, handlers, return_to, observer)?;
        Ok(true)
    }

    /// The periodic handler whose time has come, or 0.
    fn due(&mut self, interrupts: &Interrupts) -> u64 {
        let now = self.now();
        self.periods.resize(interrupts.periodic.len(), 0);
        for (index, &(handler, period)) in interrupts.periodic.iter().enumerate() {
            let is_due = now.saturating_sub(self.periods[index]) >= period;
            if is_due && self.may_come(interrupts, handler) {
                self.periods[index] = now;
                return handler.into();
            }
        }
        0
    }

    /// Runs handlers here and now, one after the other, whether or not interrupts are enabled; whether
    /// all of them returned within so many instructions.
    pub fn run_handlers(
        &mut self,
        handlers: &[u64],
        observer: &mut dyn Observer,
        budget: u64,
    ) -> bool {
        let Some(interrupts) = &self.image.bindings.interrupts else {
            return handlers.is_empty();
        };
        for &list in handlers {
            let depth = self.depth();
            let until = self.now().saturating_add(budget);
            let return_to = self.processor.pc;
            let entered = self.enter_interrupt(interrupts.handle, list, return_to, observer);
            if entered.is_err() {
                return false;
            }
            while self.depth() > depth {
                let stop = self.watch_operation(observer);
                if stop != crate::machine::Stop::Paused || self.now() >= until {
                    return false;
                }
            }
        }
        true
    }

    /// The handlers that came in the attempt so far, in order, with their places.
    pub fn interrupts(&self) -> &[(ReadingPlace, u64)] {
        let attempt = self.attempt.as_ref();
        attempt.map_or(&[], |attempt| &attempt.interrupts)
    }

    /// The program sleeps: the handlers that wake it, 0 if there are none at all. Where none of them is
    /// enabled, nobody comes, and that is no reading: it sleeps on.
    pub(crate) fn await_interrupt(&mut self) -> u64 {
        let image = self.image;
        let awaited = image.bindings.interrupts.as_ref();
        let is_awaited = |interrupts: &&Interrupts| !interrupts.asleep.is_empty();
        let Some(interrupts) = awaited.filter(is_awaited).filter(|_| !self.is_left_alone()) else {
            return 0;
        };
        let mut awaited = interrupts.asleep.clone();
        awaited.retain(|&handler| self.is_handler_enabled(interrupts, handler));
        if awaited.is_empty() {
            return NOBODY.into();
        }
        let place = self.reading_place(ASLEEP, self.processor.pc);
        let number = match place {
            Some(place) if self.reads_by_place() => image.slept_before + u64::from(place.nth),
            _ => self.sleeps,
        };
        self.sleeps += 1;
        let given = place.and_then(|place| self.given(place));
        let handler = awaited[(number % awaited.len() as u64) as usize];
        let handlers = given.unwrap_or_else(|| handler.into());
        // Who comes anywhere comes because something happened, in a sleep as well; so does who leaves the sleep as it is. Others
        // end the sleep each time.
        let mut numbers = handlers
            .to_le_bytes()
            .into_iter()
            .filter(|number| *number != 0);
        let is_event = numbers.all(|number| {
            interrupts.anywhere.contains(&number) || interrupts.passing.contains(&number)
        });
        match place {
            Some(place) if is_event => self.note_interrupt(place, handlers),
            Some(place) => self.note_reading(place, handlers),
            None => {}
        }
        self.skip_ticks(interrupts, handlers);
        handlers
    }

    /// Calls `function` in between.
    fn enter_interrupt(
        &mut self,
        function: Func,
        handlers: u64,
        return_to: u32,
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        let image = self.image;
        let (Some(current), Some(callee)) = (
            self.current_function(),
            self.function_code(function.index()),
        ) else {
            return Err(Fault::Unreachable);
        };
        let now = self.now();
        let at = self.moment();
        let layout = &image.layout;
        let word = u64::from(layout.pointer_bits / 8);
        let caller_sp = self.processor.sp;
        let frame_pointer = caller_sp.wrapping_sub(2 * word) & !u64::from(callee.frame_align - 1);
        let sp = frame_pointer.wrapping_sub(callee.frame_bytes.into());
        if sp < layout.base + u64::from(layout.stack.start) || sp > caller_sp {
            return Err(Fault::StackOverflow);
        }
        let width = word as usize;
        let saved = self.processor.fp.to_le_bytes();
        let token = RETURN_TOKEN.to_le_bytes();
        self.write_bytes(frame_pointer + word, &token[..width], observer)?;
        self.write_bytes(frame_pointer, &saved[..width], observer)?;
        let caller_window = self.processor.window;
        // Arguments that the interrupted function has laid out for a call stay where they are.
        let window = caller_window + current.window + current.outgoing;
        self.processor.frames.push(Frame {
            function: function.index() as u32,
            caller_window,
            return_to,
            caller_sp,
            frame_pointer,
            token: RETURN_TOKEN,
        });
        self.make_room(window, callee);
        self.processor.registers[window as usize] = handlers;
        self.processor.window = window;
        self.processor.sp = sp;
        self.processor.fp = frame_pointer;
        self.deepest = self.deepest.min(sp);
        observer.call(at, function, (frame_pointer - layout.base) as u32);
        self.processor.pc = callee.entry;
        self.time = now;
        Ok(())
    }

    /// How much of the interrupted stretch of code had been executed before operation `pc`.
    pub(crate) fn interrupted_ticks(&self, pc: u32) -> u64 {
        let tick = self.image.code.ticks.get(pc as usize).copied();
        tick.unwrap_or(0).saturating_sub(1).into()
    }
}

/// Which of the handlers comes at a place, if one does: always the same there.
fn chosen(handlers: &[u8], place: &impl Hash) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    place.hash(&mut hasher);
    // The upper half is the better mixed one.
    let number = hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    if handlers.is_empty() || !number.is_multiple_of(RARITY) {
        return 0;
    }
    handlers[(number / RARITY % handlers.len() as u64) as usize].into()
}
