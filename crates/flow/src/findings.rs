//! The results of the analysis as findings.
//!
//! One finding per branch that an input decides, per write to an address that an input decides,
//! and per object that is read and then overwritten: however many regions, contexts and paths
//! lead there.

mod overwritten;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use brownout_diag::{
    Finding, Locus, Named, ObjectId, ObjectRef, Pair, Side, SidedObject, SourcePlace, Subject,
};
use brownout_ir::{Global, Origin, Terminator, eval};

use crate::accesses::Cell;
use crate::contexts::Site;
use crate::model::Model;
use crate::objects::{Kind, Object};
use crate::patience::Stopped;
use crate::regions::{Decision, Region, Stray};
use crate::sets::Cells;
use crate::setting::{Boundaries, Commits, Restart};
use crate::supergraph::{Reason, Start};
use crate::taint::{Cause, Taint, lasting};
use overwritten::Overwritten;
use words::{word_decision, word_stray, word_war};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What inputs decide.
    inputs: Vec<Finding>,
    /// For each object, the reads that writes follow: the first of them is the one to show.
    pairs: Vec<Vec<Suspicion>>,
    /// The same, of those of which an input decides whether or what they write.
    decided: Vec<Vec<Suspicion>>,
}

/// A read and a write that may follow it.
#[derive(Clone, Debug)]
pub struct Suspicion {
    /// What there is to say about it.
    pub finding: Finding,
    /// After which calls of checkpoints both may be executed; nothing stands for the start of the program.
    /// None at all if re-execution starts elsewhere.
    pub starts: Vec<Option<SourcePlace>>,
}

impl Findings {
    /// The pairs of which an input decides the write, as far as `keeps` wants them: that one
    /// execution takes no harm from these says nothing of other inputs.
    pub fn decided(&mut self, keeps: impl Fn(&Finding) -> bool) -> Vec<Finding> {
        let groups = std::mem::take(&mut self.decided).into_iter();
        groups
            .filter_map(|mut pairs| {
                pairs.retain(|pair| keeps(&pair.finding));
                shown(pairs)
            })
            .collect()
    }

    /// Whether an input decides anything.
    pub fn are_about_inputs(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// Leaves out what inputs decide of objects of which they decide nothing in `others`, wherever that is.
    pub fn retain_inputs_in(&mut self, others: &Self) {
        self.inputs.retain(|finding| {
            let mut others = others.inputs.iter();
            others.any(|other| other.rule == finding.rule && is_about_same(finding, other))
        });
    }

    /// Leaves out the pairs of a read and a write that `keeps` does not want.
    pub fn retain_pairs(&mut self, keeps: impl Fn(&Suspicion) -> bool) {
        for pairs in &mut self.pairs {
            pairs.retain(&keeps);
        }
    }

    /// The pairs of a read and a write.
    pub fn pairs(&self) -> impl Iterator<Item = &Suspicion> {
        self.pairs.iter().flatten()
    }

    /// All findings, in the order in which they are shown: one for each object that is read and
    /// then overwritten, however often.
    pub fn all(self) -> Vec<Finding> {
        let mut all = self.inputs;
        all.extend(self.pairs.into_iter().filter_map(shown));
        all.sort_by(|a, b| a.order().cmp(&b.order()));
        all
    }
}

/// The finding that stands for the pairs of one object.
fn shown(pairs: Vec<Suspicion>) -> Option<Finding> {
    let listed: Vec<Pair> = pairs.iter().map(|known| pair(&known.finding)).collect();
    let mut pairs = pairs.into_iter().map(|known| known.finding);
    let mut shown = pairs.next()?;
    shown.pairs = listed;
    for other in pairs {
        for object in other.object.into_iter().chain(other.also) {
            let own = shown.object.as_ref();
            let is_called_alike = own.is_some_and(|own| own.name == object.name);
            if is_called_alike && own != Some(&object) && !shown.also.contains(&object) {
                shown.also.push(object);
            }
        }
    }
    Some(shown)
}

/// A place, however it was reached.
fn without_calls(place: SourcePlace) -> SourcePlace {
    SourcePlace {
        stack: Vec::new(),
        ..place
    }
}

/// Whether two findings about inputs have bytes in common.
fn is_about_same(one: &Finding, other: &Finding) -> bool {
    let overlap = |one: &ObjectRef, other: &ObjectRef| {
        one.id == other.id
            && one.offset < other.offset + other.size.max(1)
            && other.offset < one.offset + one.size.max(1)
    };
    let mut objects = objects_of(one).peekable();
    let is_unknown = objects.peek().is_none() || objects_of(other).next().is_none();
    is_unknown || objects.any(|one| objects_of(other).any(|other| overlap(one, other)))
}

/// What a finding about inputs is about.
fn objects_of(finding: &Finding) -> impl Iterator<Item = &ObjectRef> {
    let variables = finding.variables.iter().map(|variable| &variable.object);
    variables.chain(&finding.object).chain(&finding.also)
}

/// A finding about one read and one write as a pair.
fn pair(finding: &Finding) -> Pair {
    let object = match &finding.object {
        Some(object) => Named {
            name: object.name.clone(),
            whole: object.whole.clone(),
            id: object.id.clone(),
        },
        None => Named::whole("", ObjectId::Unknown),
    };
    let place = |place: &Option<SourcePlace>| place.clone().map(without_calls).map(Arc::new);
    Pair {
        object: Arc::new(object),
        consumer: place(&finding.consumer),
        producer: place(&finding.producer),
        evidence: finding.evidence,
        witness: None,
    }
}

/// All findings.
///
/// # Errors
/// If they are not wanted any more.
pub fn findings(model: &Model<'_>, regions: &[Region]) -> Result<Findings, Stopped> {
    let mut collected = Collected::default();
    let mut filter = Filter::new(model, regions);
    let lasting = match regions.iter().all(|region| region.pairs.is_empty()) {
        true => Taint::default(),
        false => lasting(model)?,
    };
    for region in regions {
        filter.saved.clone_from(&region.saved);
        for decision in &region.decisions {
            model.setting.interrupt.go_on()?;
            collected.decision(model, region, decision, &filter);
        }
        for stray in &region.strays {
            collected.stray(model, region, stray, &filter);
        }
        collected.pairs(model, region, &lasting);
    }
    let decisions = collected.decisions.into_values().map(word_decision);
    let strays = collected.strays.into_values().map(word_stray);
    Ok(Findings {
        inputs: decisions.chain(strays).collect(),
        pairs: collected.wars.worded(),
        decided: collected.decided.worded(),
    })
}

/// Which cells are worth a report.
struct Filter {
    saved: Cells,
    /// What some region may read before it is overwritten.
    wanted: Cells,
    /// What others can read, whatever the program does.
    outside: BTreeSet<Object>,
}

impl Filter {
    /// What is left behind matters if some region, this one or a later one, may read it first.
    fn new(model: &Model<'_>, regions: &[Region]) -> Self {
        let mut wanted = Cells::with_capacity(model.accesses.cells.len());
        for region in regions {
            wanted.union_with(&region.exposed);
        }
        // Where re-execution starts in the middle of the program, other parts of it read as well.
        if model.setting.restart != Restart::Boundary {
            for touch in model.accesses.reads() {
                wanted.insert_range(touch.cells.start as usize..touch.cells.end as usize);
            }
        }
        Self {
            saved: Cells::with_capacity(model.accesses.cells.len()),
            wanted,
            outside: outside(model),
        }
    }

    /// Whether a difference in a cell can ever be seen.
    fn keeps(&self, model: &Model<'_>, cell: u32) -> bool {
        let object = model.accesses.cells[cell as usize].object;
        let is_aware = match model.points_to.objects.data(object).kind {
            Kind::Global(global) => model.setting.aware.contains(&global),
            _ => false,
        };
        let is_seen = self.outside.contains(&object) || self.wanted.contains(cell as usize);
        !is_aware && !self.saved.contains(cell as usize) && is_seen
    }

    fn cells(&self, model: &Model<'_>, cells: &Cells) -> Vec<u32> {
        let ones = cells.ones().map(|cell| cell as u32);
        ones.filter(|&cell| self.keeps(model, cell)).collect()
    }
}

/// The variables that nobody but the program's own functions can read.
pub fn private(model: &Model<'_>) -> Vec<Global> {
    let seen = outside(model);
    let objects = &model.points_to.objects;
    let others: BTreeSet<Global> = seen
        .iter()
        .filter_map(|&object| match objects.data(object).kind {
            Kind::Global(global) => Some(global),
            _ => None,
        })
        .collect();
    let globals = model.program.globals.iter();
    globals
        .filter(|(global, data)| {
            data.origin == Origin::User && !data.exported && !others.contains(global)
        })
        .map(|(global, _)| global)
        .collect()
}

/// The objects that others can read, whatever the program does: exported ones, what callers pass, and all
/// that these, or what functions for others return, lead to.
fn outside(model: &Model<'_>) -> BTreeSet<Object> {
    let objects = &model.points_to.objects;
    let known = objects
        .ids()
        .filter(|&object| match objects.data(object).kind {
            Kind::Global(global) => model.program.globals[global].exported,
            Kind::Parameter(..) | Kind::Behind(..) | Kind::Returned(_) => true,
            Kind::Slot(..) | Kind::Stack(_) | Kind::Heap(_) | Kind::Code(_) | Kind::Absolute => {
                false
            }
        });
    let mut seen: Vec<Object> = known.collect();
    for &root in &model.contexts.roots {
        let func = model.contexts.activation(root).func;
        let blocks = model
            .contexts
            .body(root)
            .filter(|_| model.program.functions[func].exported);
        for block in blocks.into_iter().flat_map(|body| body.blocks.values()) {
            if let Terminator::Return(results) = &block.terminator {
                let targets = results
                    .iter()
                    .flat_map(|&result| model.points_to.of(root, result));
                seen.extend(targets.map(|target| target.object));
            }
        }
    }
    let mut found = model.points_to.reachable_from(seen);
    // Locals are gone when others read.
    found.retain(|&object| !matches!(objects.data(object).kind, Kind::Slot(..) | Kind::Stack(_)));
    found
}

/// A finding on its way: everything that regions and contexts say about one defect.
#[derive(Default)]
struct Draft {
    place: SourcePlace,
    inputs: Vec<SourcePlace>,
    taint: Vec<SourcePlace>,
    variables: BTreeMap<String, SidedObject>,
    writes: Vec<(String, SourcePlace)>,
    resumes: Vec<(Restarts, Option<SourcePlace>)>,
    read: SourcePlace,
    object: Option<ObjectRef>,
    subject: Option<Subject>,
    /// What `object` is a part of, and the parts that are written.
    whole: Option<Object>,
    parts: BTreeSet<String>,
    /// What else the same write overwrites.
    others: BTreeSet<String>,
    /// What others pass under the same name.
    also: Vec<ObjectRef>,
}

/// What execution goes on after, without where that is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Restarts {
    Entry,
    Checkpoint,
    Task,
    Function,
    Input,
}

type Key = (String, u32, u32);

#[derive(Default)]
struct Collected {
    decisions: BTreeMap<Key, Draft>,
    strays: BTreeMap<Key, Draft>,
    wars: Wars,
    /// Those of which an input decides the write.
    decided: Wars,
}

/// Pairs of a read and a write, in the order of discovery.
#[derive(Default)]
struct Wars {
    drafts: BTreeMap<Group, Vec<Draft>>,
    known: BTreeMap<(Group, Key, Key), usize>,
}

/// What makes pairs of a read and a write one defect.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Group {
    /// The same variable or block.
    Object(Object),
    /// The same member of what some pointer of the library's users leads to, overwritten by the same function.
    Member {
        name: String,
        file: String,
        function: String,
    },
    /// The same write, where nothing is known of what the pointer leads to.
    Write(Key),
}

impl Group {
    fn of(model: &Model<'_>, object: Object, part: &str, write: &SourcePlace) -> Self {
        let data = model.points_to.objects.data(object);
        match data.kind {
            Kind::Parameter(..) | Kind::Behind(..) | Kind::Returned(_) if data.ty.is_none() => {
                Self::Write(key(write))
            }
            // All elements of an array are one member.
            Kind::Parameter(..) | Kind::Behind(..) | Kind::Returned(_) => Self::Member {
                name: part.split('[').next().unwrap_or_default().to_owned(),
                file: write.file.clone(),
                function: write.function.clone(),
            },
            Kind::Global(_)
            | Kind::Slot(..)
            | Kind::Stack(_)
            | Kind::Heap(_)
            | Kind::Code(_)
            | Kind::Absolute => Self::Object(object),
        }
    }
}

fn key(place: &SourcePlace) -> Key {
    (place.file.clone(), place.line, place.column)
}

pub(crate) fn restart(model: &Model<'_>, start: Start) -> (Restarts, Option<SourcePlace>) {
    match start.reason {
        Reason::Entry => (Restarts::Entry, None),
        Reason::Checkpoint(site) => {
            let restarts = match model.setting.boundaries {
                Boundaries::Checkpoints => Restarts::Checkpoint,
                Boundaries::Tasks => Restarts::Task,
            };
            (restarts, model.source_place(site))
        }
        Reason::Function(instance) => {
            let function = &model.program.functions[model.func(instance)];
            let place = function.place.and_then(|place| {
                let source = &model.program.source;
                let data = source.places.get(place)?;
                Some(SourcePlace {
                    file: source.files.get(data.file).cloned().unwrap_or_default(),
                    line: data.line,
                    column: data.column,
                    function: function.name.clone(),
                    stack: vec![],
                })
            });
            (Restarts::Function, place)
        }
        Reason::Input(site) => (Restarts::Input, model.source_place(site)),
    }
}

impl Draft {
    fn resume(&mut self, model: &Model<'_>, start: Start) {
        let restart = restart(model, start);
        if !self.resumes.contains(&restart) {
            self.resumes.push(restart);
        }
    }

    /// The calls of checkpoints after which execution resumes; nothing stands for the start of the program. None at
    /// all if it resumes elsewhere.
    fn starts(&self) -> Vec<Option<SourcePlace>> {
        let is_checkpoint = |(restart, _): &(Restarts, Option<SourcePlace>)| match restart {
            Restarts::Entry | Restarts::Checkpoint => true,
            Restarts::Task | Restarts::Function | Restarts::Input => false,
        };
        let starts = self.resumes.iter().map(|(_, place)| place.clone());
        match self.resumes.iter().all(is_checkpoint) {
            true => starts.collect(),
            false => Vec::new(),
        }
    }

    fn path(&mut self, model: &Model<'_>, path: &[Site]) {
        let places: Vec<SourcePlace> = path
            .iter()
            .filter_map(|&site| model.source_place(site))
            .collect();
        if let Some(first) = places.first()
            && !self
                .inputs
                .iter()
                .any(|input| input.position() == first.position())
        {
            self.inputs.push(first.clone());
        }
        // The shortest explanation is the one to tell.
        if self.taint.is_empty() || places.len() < self.taint.len() {
            self.taint = places;
            self.taint.dedup_by(|a, b| a.position() == b.position());
        }
    }

    fn variable(&mut self, object: ObjectRef, sides: impl IntoIterator<Item = Side>) {
        let name = object.name.clone();
        let is_another = |known: &SidedObject| known.object.id != object.id;
        if self.variables.get(&name).is_some_and(is_another) && !self.also.contains(&object) {
            self.also.push(object.clone());
        }
        let known = self.variables.entry(name).or_insert_with(|| SidedObject {
            object,
            sides: Vec::new(),
        });
        for side in sides {
            if !known.sides.contains(&side) {
                known.sides.push(side);
            }
        }
        known.sides.sort_unstable();
    }
}

impl Collected {
    fn decision(
        &mut self,
        model: &Model<'_>,
        region: &Region,
        decision: &Decision,
        filter: &Filter,
    ) {
        let mut exclusive = decision.exclusive.clone();
        exclusive.difference_with(&decision.settled);
        let cells = filter.cells(model, &exclusive);
        let Some(place) = model
            .source_place(decision.site)
            .filter(|_| !cells.is_empty())
        else {
            return;
        };
        let draft = self.decisions.entry(key(&place)).or_default();
        draft.place = place;
        draft.resume(model, region.start);
        draft.path(model, &decision.path);
        let sides = sides(model, decision);
        for cell in cells {
            let written = decision
                .sides
                .iter()
                .zip(&sides)
                .filter(|(cells, _)| cells.contains(cell as usize));
            let write = decision.writes.iter().find(|(other, _)| *other == cell);
            let object = match write {
                Some((_, site)) => model.written(cell, *site),
                None => model.object(cell),
            };
            if let Some(place) = write.and_then(|(_, site)| model.source_place(*site))
                && !draft
                    .writes
                    .iter()
                    .any(|(_, other)| other.position() == place.position())
            {
                draft.writes.push((object.name.clone(), place));
            }
            draft.variable(object, written.map(|(_, side)| *side));
        }
    }

    fn stray(&mut self, model: &Model<'_>, region: &Region, stray: &Stray, filter: &Filter) {
        let cells = filter.cells(model, &stray.cells);
        let Some(place) = model.source_place(stray.site).filter(|_| !cells.is_empty()) else {
            return;
        };
        let draft = self.strays.entry(key(&place)).or_default();
        draft.place = place;
        draft.resume(model, region.start);
        draft.path(model, &stray.path);
        // The whole of what is written to counts: name it as one.
        for object in objects(model, &cells) {
            draft.variable(object, []);
        }
    }

    fn pairs(&mut self, model: &Model<'_>, region: &Region, lasting: &Taint) {
        let taint = &region.taint;
        let stores = lasting
            .stores
            .iter()
            .map(|(_, site, cause)| (*site, *cause));
        let stores: BTreeMap<Site, Cause> = stores.collect();
        let mut overwritten = Overwritten::new(model, region, lasting);
        for pair in &region.pairs {
            let object = model.accesses.cells[pair.cell as usize].object;
            if let Kind::Global(global) = model.points_to.objects.data(object).kind
                && model.setting.aware.contains(&global)
            {
                continue;
            }
            // Whether they meet, inputs of this region decide, or earlier ones.
            let path = match taint.loads.get(&pair.read) {
                Some(&cause) => Some(taint.path(model, cause)),
                None => {
                    let address = lasting.loads.get(&pair.read).or_else(|| {
                        let is_told = taint.writes.contains_key(&pair.write);
                        stores.get(&pair.write).filter(|_| !is_told)
                    });
                    let decided = address.copied().or_else(|| overwritten.decided(pair));
                    decided.map(|cause| lasting.path(model, cause))
                }
            };
            if let Some(draft) = self.wars.add(model, region, pair)
                && let Some(path) = path
            {
                draft.path(model, &path);
            }
            // What an input decides to read has a finding of its own.
            if taint.loads.contains_key(&pair.read) {
                continue;
            }
            let path = match taint.writes.get(&pair.write) {
                Some(&cause) => Some(taint.path(model, cause)),
                // What the read leads to may last with other inputs.
                None => overwritten
                    .decided_after(pair)
                    .map(|cause| lasting.path(model, cause)),
            };
            if let Some(path) = path
                && let Some(draft) = self.decided.add(model, region, pair)
            {
                draft.path(model, &path);
            }
        }
    }
}

impl Wars {
    /// Adds a pair to what is known of its object; gives its draft, if it has places.
    fn add(
        &mut self,
        model: &Model<'_>,
        region: &Region,
        pair: &crate::regions::Pair,
    ) -> Option<&mut Draft> {
        let object = model.accesses.cells[pair.cell as usize].object;
        let write = model.source_place(pair.write)?;
        let read = model.source_place(pair.read)?;
        let named = model.written(pair.cell, pair.write);
        let group = Group::of(model, object, &named.name, &write);
        let drafts = self.drafts.entry(group.clone()).or_default();
        let known = (group, key(&write), key(&read));
        let index = *self.known.entry(known).or_insert_with(|| {
            drafts.push(Draft {
                subject: Some(subject(model, region.start, object, &write)),
                place: write,
                read,
                ..Draft::default()
            });
            drafts.len() - 1
        });
        let draft = &mut drafts[index];
        draft.resume(model, region.start);
        if draft.whole.is_none_or(|whole| whole == object) {
            draft.parts.insert(named.name.clone());
        }
        match &mut draft.object {
            none @ None => {
                *none = Some(named);
                draft.whole = Some(object);
            }
            Some(known) if draft.whole != Some(object) => {
                draft.others.insert(named.name.clone());
                if named.name == known.name && !draft.also.contains(&named) {
                    draft.also.push(named);
                }
            }
            Some(known) if known.name != named.name => {
                // One write of several parts: name what holds them.
                let start = known.offset.min(named.offset);
                let end = (known.offset + known.size).max(named.offset + named.size);
                known.name = model.name(object, start as i64, end as i64);
                known.offset = start;
                known.size = end - start;
            }
            Some(_) => {}
        }
        Some(draft)
    }

    fn worded(self) -> Vec<Vec<Suspicion>> {
        let suspicion = |draft: Draft| Suspicion {
            starts: draft.starts(),
            finding: word_war(draft),
        };
        let drafts = self.drafts.into_values();
        drafts
            .map(|drafts| drafts.into_iter().map(suspicion).collect())
            .collect()
    }
}

/// What makes a pair of a read and a write a defect: the object, and where execution resumes or, if
/// that can be anywhere, the function that writes.
fn subject(model: &Model<'_>, start: Start, object: Object, write: &SourcePlace) -> Subject {
    let data = model.points_to.objects.data(object);
    let locus = match (model.setting.commits, restart(model, start)) {
        (Commits::Always | Commits::Perhaps, (Restarts::Entry, _)) => Locus::Start,
        (
            Commits::Always | Commits::Perhaps,
            (Restarts::Checkpoint | Restarts::Task, Some(place)),
        ) => Locus::Checkpoint(without_calls(place)),
        _ => Locus::Function {
            file: write.file.clone(),
            function: write.function.clone(),
        },
    };
    let size = data.size.and_then(|size| u64::try_from(size).ok());
    Subject {
        name: model.whole_name(object),
        object: model.id(object, 0),
        bits: (0, size.unwrap_or(0).saturating_mul(8)),
        locus,
    }
}

/// Objects instead of cells: cells that follow each other are one.
fn objects(model: &Model<'_>, cells: &[u32]) -> Vec<ObjectRef> {
    let mut merged: Vec<Cell> = Vec::new();
    for &cell in cells {
        let cell = model.accesses.cells[cell as usize];
        match merged.last_mut() {
            Some(last) if last.object == cell.object && last.end == cell.start => {
                last.end = cell.end
            }
            _ => merged.push(cell),
        }
    }
    merged.into_iter().map(|cell| model.bytes(cell)).collect()
}

/// The sides of a branch, in the order of the graph's edges.
fn sides(model: &Model<'_>, decision: &Decision) -> Vec<Side> {
    let successors = model.flow.graph.successors(decision.node);
    let Some((site, terminator)) = model.terminator(decision.node) else {
        // A call through a pointer: one side for each function.
        return (0..successors.len() as i64).map(Side::Case).collect();
    };
    let edges = terminator.edges();
    let mut sides = Vec::new();
    for &successor in successors {
        let leads = |index: usize| {
            let first = model.flow.first(site.instance, edges[index].block);
            first == Some(successor)
                || model.flow.graph.successors(successor) == first.as_slice()
                    && !model.node(successor).filled.is_empty()
        };
        let index = (0..edges.len()).find(|&index| leads(index));
        sides.push(match (terminator, index) {
            (Terminator::Branch { .. }, Some(0)) => Side::Then,
            (Terminator::Switch { ty, cases, .. }, Some(index)) if index < cases.len() => {
                let bits = ty.bits(&model.program.target);
                Side::Case(eval::wide::signed(bits, cases[index].0) as i64)
            }
            (Terminator::Switch { .. }, _) => Side::Default,
            (Terminator::Computed { .. }, Some(index)) => Side::Case(index as i64),
            _ => Side::Else,
        });
    }
    sides
}
