//! One defect, one finding (SEMANTICS §3.1): which pairs belong together.
//!
//! **Property.** Pairs are one defect if they break the same rule, concern the same object and
//! belong to the regions of the same checkpoint; where a checkpoint may be anywhere, or is
//! nowhere, if the same function overwrites.
//!
//! An object is a variable or a field as the user named it: elements of an array are parts of it.
//! Of a frame that is reused, the frame is the object, of a heap block the block. What the C library
//! keeps in frames of its own belongs to the function that the user's code called.

use std::collections::BTreeMap;

use brownout_diag::{Evidence, ObjectId, Rule};
use brownout_explore::{Exposure, Object, Objects, Part, Recovery};
use brownout_ir::{Callee, Func, Op, Origin};
use brownout_vm::{Image, SegmentKind};

use crate::hazards::findings::{Group, Request};
use crate::hazards::locate::{Hazard, Overwrites, Reader};
use crate::hazards::places::{Places, Position};

/// What a defect is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Whole {
    /// A variable, a field, a heap block.
    Part(Object, u64, u64),
    /// The frame of a function.
    Frame(Func),
    /// The frames of a library function that the user's code calls, and of those that it calls.
    Library(Option<Func>),
}

/// Where a defect is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Where<'i> {
    /// Before the first checkpoint.
    Start,
    /// After a checkpoint call: its place, and one operation there.
    Checkpoint(Option<Position>, u32),
    /// In a function, by its file and name.
    Function(&'i str, &'i str),
}

/// What makes pairs one defect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct DefectKey<'i> {
    pub(crate) rule: Rule,
    pub(crate) whole: Whole,
    pub(crate) locus: Where<'i>,
}

/// Pairs that are one defect.
#[derive(Clone, Debug)]
pub(crate) struct Defect<'i, 'g> {
    pub(crate) key: DefectKey<'i>,
    /// Whether every write stores what was read.
    pub(crate) silent: bool,
    /// The pairs with their occurrences.
    pub(crate) groups: Vec<&'g Group>,
    /// The other pairs.
    pub(crate) further: Vec<(&'g Overwrites, &'g Reader)>,
}

/// Decides which pairs are one defect.
#[derive(Debug)]
pub(crate) struct Defects<'i> {
    image: &'i Image,
    exposure: Exposure,
    recovery: Recovery,
    objects: Objects<'i>,
    places: Places<'i>,
}

impl<'i> Defects<'i> {
    pub(crate) fn new(image: &'i Image, request: &Request) -> Self {
        Self {
            image,
            exposure: request.exposure,
            recovery: request.recovery,
            objects: Objects::new(image),
            places: Places::new(image),
        }
    }

    pub(crate) fn places(&self) -> &Places<'i> {
        &self.places
    }

    pub(crate) fn objects(&self) -> &Objects<'i> {
        &self.objects
    }

    /// Which defect a pair belongs to.
    pub(crate) fn of(&self, hazard: &Hazard) -> DefectKey<'i> {
        DefectKey {
            rule: hazard.rule,
            whole: self.whole(hazard.rule, hazard.part, hazard.consumer),
            locus: self.locus(hazard.checkpoint, hazard.producer),
        }
    }

    /// Puts pairs together, in the order in which their defects first come: those with their
    /// occurrences, and those of `further` for which `rule` gives the rule that they break.
    pub(crate) fn collect<'g>(
        &self,
        groups: impl IntoIterator<Item = &'g Group>,
        further: &'g [Overwrites],
        rule: impl Fn(&Overwrites, &Reader) -> Option<Rule>,
    ) -> Vec<Defect<'i, 'g>> {
        let mut numbers: BTreeMap<DefectKey<'i>, usize> = BTreeMap::new();
        let mut defects: Vec<Defect<'i, 'g>> = Vec::new();
        let mut find = |defects: &mut Vec<Defect<'i, 'g>>, key: DefectKey<'i>| {
            *numbers.entry(key).or_insert_with(|| {
                defects.push(Defect {
                    key,
                    silent: true,
                    groups: Vec::new(),
                    further: Vec::new(),
                });
                defects.len() - 1
            })
        };
        for group in groups {
            let number = find(&mut defects, self.of(&group.hazard));
            defects[number].groups.push(group);
            defects[number].silent &= group.hazard.silent;
        }
        for overwrites in further {
            let locus = self.locus(overwrites.checkpoint, overwrites.producer);
            let mut last: Option<(Whole, usize)> = None;
            for reader in &overwrites.readers {
                let Some(rule) = rule(overwrites, reader) else {
                    continue;
                };
                let whole = self.whole(rule, overwrites.part(reader), reader.consumer);
                let number = match last {
                    Some((same, number)) if same == whole => number,
                    _ => find(&mut defects, DefectKey { rule, whole, locus }),
                };
                last = Some((whole, number));
                defects[number].further.push((overwrites, reader));
                defects[number].silent &= reader.silent;
            }
        }
        defects
    }

    fn locus(&self, checkpoint: Option<u32>, producer: u32) -> Where<'i> {
        let in_function = || {
            let (file, function) = self.places.function(producer);
            Where::Function(file, function)
        };
        if self.recovery == Recovery::Restart {
            return in_function();
        }
        match (self.exposure, checkpoint) {
            (Exposure::Anywhere { .. }, _) => in_function(),
            (Exposure::Region | Exposure::SinceCall { .. }, None) => Where::Start,
            (Exposure::Region | Exposure::SinceCall { .. }, Some(pc)) => {
                match self.places.position(pc) {
                    // Operations at one place are one checkpoint.
                    Some(position) => Where::Checkpoint(Some(position), 0),
                    None => Where::Checkpoint(None, pc),
                }
            }
        }
    }

    fn whole(&self, rule: Rule, part: Part, consumer: u32) -> Whole {
        let functions = &self.image.program().functions;
        let everything = || {
            let end = self.objects.size(part.object).unwrap_or(0);
            Whole::Part(part.object, 0, end)
        };
        match part.object {
            Object::Local(func, _) | Object::Linkage(func) | Object::Stack(func)
                if functions[func].origin == Origin::Library =>
            {
                Whole::Library(self.callee(consumer))
            }
            Object::Local(func, _) | Object::Linkage(func) | Object::Stack(func)
                if rule == Rule::ActivationRecord =>
            {
                Whole::Frame(func)
            }
            Object::Linkage(func) | Object::Stack(func) => Whole::Frame(func),
            Object::Global(_) | Object::Local(..) => match self.objects.type_of(part.object) {
                Some(ty) => {
                    let source = &self.image.program().source;
                    let field = source.field(ty, &(part.start..part.end));
                    Whole::Part(part.object, field.start, field.end)
                }
                None => everything(),
            },
            // What lies at different addresses are different things.
            Object::Segment(SegmentKind::Window) => Whole::Part(part.object, part.start, part.end),
            Object::Block { .. } | Object::Segment(_) => everything(),
        }
    }

    /// The library function that an operation of the user's code calls, if that is known.
    fn callee(&self, pc: u32) -> Option<Func> {
        let program = self.image.program();
        let body = program.functions[self.image.function(pc)?].body.as_ref()?;
        let place = self.image.place(pc)?;
        let insts = body.blocks.values().flat_map(|block| &block.insts);
        let mut callees = insts.filter_map(|inst| match &inst.op {
            Op::Call {
                callee: Callee::Direct(func),
                ..
            } if inst.place == Some(place)
                && program.functions[*func].origin == Origin::Library =>
            {
                Some(*func)
            }
            _ => None,
        });
        callees.next()
    }

    /// Which object a defect is about, and its bits in there: from one on, up to another.
    pub(crate) fn id(&self, whole: Whole) -> (ObjectId, (u64, u64)) {
        let function = |func: Func| self.image.program().functions[func].name.clone();
        match whole {
            Whole::Part(object, start, end) => {
                let id = self.objects.id(Part { object, start, end });
                // What an address tells has no other place.
                let bits = match id {
                    ObjectId::Address(_) => (0, (end - start) * 8),
                    _ => (start * 8, end * 8),
                };
                (id, bits)
            }
            Whole::Frame(func) => (ObjectId::Frame(Some(function(func))), (0, 0)),
            Whole::Library(func) => (ObjectId::Frame(func.map(function)), (0, 0)),
        }
    }

    /// What users call the object of a defect.
    pub(crate) fn name(&self, whole: Whole) -> String {
        let functions = &self.image.program().functions;
        match whole {
            Whole::Part(object @ Object::Local(func, _), start, end) => {
                let part = Part { object, start, end };
                format!("{}::{}", functions[func].name, self.objects.name(part))
            }
            Whole::Part(object, start, end) => self.objects.name(Part { object, start, end }),
            Whole::Frame(func) => format!("frame of {}", functions[func].name),
            Whole::Library(Some(func)) => format!("frame of {}", functions[func].name),
            Whole::Library(None) => "frame of a library function".to_owned(),
        }
    }
}

/// How well a defect is established that has pairs of these kinds.
pub(crate) fn gravest(evidence: impl IntoIterator<Item = Evidence>) -> Evidence {
    let all = evidence.into_iter();
    all.min_by_key(|evidence| evidence.rank())
        .unwrap_or(Evidence::Located)
}
