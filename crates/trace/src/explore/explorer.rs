//! Walks over a program once and emulates failures on the way.

use std::ops::Range;
use std::sync::Arc;

use brownout_vm::{Bounds, Image, Machine};

use super::attempt::{Blow, Path};
use super::exposed::{Exposed, Tearing, Writing};
use super::heap::Blocks;
use super::known::{Known, Manner};
use super::scene::Scene;
use super::stores::{self, Store};
use super::window::Window;
use super::{
    Damage, Difference, Evaluation, Explored, Harm, Miss, Setting, Strike, Struck, Tear, Test,
};
use crate::calls::Calls;
use crate::exposure::Exposure;
use crate::monitor::Monitor;
use crate::objects::Objects;
use crate::readings::{Readings, Turn};

pub(super) struct Walker<'i> {
    pub(super) image: &'i Image,
    exposure: Exposure,
    pub(super) saved: Vec<Range<u32>>,
    pub(super) failures: u32,
    atomic_write: Option<u32>,
    pub(super) machine: Machine<'i>,
    pub(super) objects: Objects<'i>,
    pub(super) calls: Calls<'i>,
    pub(super) exposed: Exposed,
    /// The blocks at the start of the window.
    pub(super) blocks: Blocks,
    /// What failures of pairs are known to do, from earlier windows and from this one.
    known: Arc<Known>,
    known_here: Known,
    /// What inputs give, if not what the scenario says.
    pub(super) readings: Option<Readings>,
    /// Instructions executed; those executed one by one count for more.
    pub(super) spent: u64,
}

impl<'i> Walker<'i> {
    pub(super) fn new(image: &'i Image, setting: Setting<'_>) -> Self {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        let tearing = match setting.atomic_write {
            None => Tearing::Never,
            Some(_) => Tearing::Possible,
        };
        Self {
            image,
            exposure: setting.exposure,
            saved: setting.saved.to_vec(),
            failures: setting.failures.max(1),
            machine,
            objects: Objects::new(image),
            calls: Calls::new(image),
            exposed: Exposed::new(image, tearing),
            blocks: Blocks::default(),
            atomic_write: setting.atomic_write,
            known: Arc::default(),
            known_here: Known::default(),
            readings: None,
            spent: 0,
        }
    }

    /// Inputs give what they give in this turn.
    pub(super) fn read(&mut self, turn: Turn) {
        if let Some(readings) = &self.readings {
            self.machine.force_inputs(readings.of(turn));
        }
    }

    /// Emulates tests that are sorted by window and failure.
    pub(super) fn evaluate(
        &mut self,
        part: &[(Window, Test)],
        monitor: &dyn Monitor,
    ) -> Vec<Evaluation> {
        let mut results = Vec::new();
        for group in part.chunk_by(|a, b| a.0 == b.0) {
            if monitor.is_interrupted() {
                break;
            }
            let Some(&(window, _)) = group.first() else {
                continue;
            };
            let Some(mut scene) = self.enter(window) else {
                continue;
            };
            for same in group.chunk_by(|a, b| a.1.instance.produced == b.1.instance.produced) {
                let Some(&(_, first)) = same.first() else {
                    continue;
                };
                if monitor.is_interrupted() {
                    break;
                }
                let before = self.spent;
                let blow = Blow {
                    failure: first.instance.produced,
                    failures: 1..=self.failures,
                    further: &[],
                    pairs: &[],
                    tear: None,
                };
                let (damage, _) = self
                    .fail(&mut scene, &blow)
                    .unwrap_or((Damage::none(), Path::Same));
                let instructions = self.spent - before;
                monitor.advance(same.len() as u64);
                results.extend(same.iter().map(|&(_, test)| Evaluation {
                    test,
                    damage: damage.clone(),
                    instructions: instructions / same.len() as u64,
                }));
            }
            self.leave(&scene);
        }
        results
    }

    /// Emulates every failure of `windows` that can matter, spending at most about `allowance`
    /// instructions on each of them. What is `known` is not looked at closely.
    pub(super) fn explore(
        &mut self,
        windows: &[Window],
        known: &Arc<Known>,
        allowance: u64,
        monitor: &dyn Monitor,
    ) -> Explored {
        self.known = Arc::clone(known);
        let mut explored = Explored {
            complete: true,
            ..Explored::default()
        };
        for &window in windows {
            if monitor.is_interrupted() {
                explored.complete = false;
                break;
            }
            let Some(mut scene) = self.enter(window) else {
                continue;
            };
            explored.windows += 1;
            let before = self.spent;
            self.explore_window(&mut scene, allowance, &mut explored);
            explored.instructions += scene.reference.length + self.spent - before;
            monitor.advance(1);
            self.leave(&scene);
        }
        explored
    }

    fn explore_window(&mut self, scene: &mut Scene, allowance: u64, explored: &mut Explored) {
        let writings: Vec<Writing> = std::mem::take(&mut self.exposed.writings);
        self.known_here = Known::default();
        let begun = self.spent;
        let mut pairs: &[(u32, u32)] = &[];
        let mut departed = false;
        for writing in &writings {
            let producer = !writing.pairs.is_empty();
            if producer {
                pairs = &writing.pairs;
            } else if !departed {
                continue;
            }
            if self.spent - begun >= allowance {
                explored.complete = false;
                break;
            }
            let blow = Blow {
                failure: writing.time,
                failures: 1..=self.failures,
                further: &[],
                pairs,
                tear: None,
            };
            let Some((damage, path)) = self.fail(scene, &blow) else {
                break;
            };
            departed = if producer {
                path == Path::Another
            } else {
                departed
            };
            explored.failures += 1;
            if self.is_news(Manner::Between, pairs, &damage.differences) {
                self.note(scene, &blow, damage.clone(), explored);
            }
            self.tear(scene, &blow, &writing.stores, &damage, explored);
        }
    }

    /// Power fails inside a store, after every part of it that is written at once. What `whole` does,
    /// a failure after all of it, is not the tear's doing.
    fn tear(
        &mut self,
        scene: &mut Scene,
        whole: &Blow<'_>,
        stores: &[Store],
        damage_of_whole: &Damage,
        explored: &mut Explored,
    ) {
        let Some(atomic) = self.atomic_write else {
            return;
        };
        for written in stores::tears(self.image.layout(), stores, atomic) {
            let blow = Blow {
                tear: Tear::after(stores, written),
                ..whole.clone()
            };
            let Some((damage, _)) = self.fail(scene, &blow) else {
                return;
            };
            explored.failures += 1;
            for &pair in blow.pairs {
                *explored.tears.entry(pair).or_default() += 1;
            }
            if damage.differences != damage_of_whole.differences
                && self.is_news(Manner::Inside, blow.pairs, &damage.differences)
            {
                self.note(scene, &blow, damage, explored);
            }
        }
    }

    /// Notes what a failure does.
    fn note(&mut self, scene: &Scene, blow: &Blow<'_>, damage: Damage, explored: &mut Explored) {
        let torn = blow.tear.as_ref().map(|tear| tear.written);
        self.known_here.add(Manner::of(torn), blow.pairs, &damage);
        explored.harm.push(Harm {
            checkpoint: scene.window.position(),
            failure: blow.failure,
            pairs: blow.pairs.to_vec(),
            damage,
            torn,
        });
    }

    /// Emulates one strike, exactly as it is asked for.
    pub(super) fn strike(
        &mut self,
        window: Window,
        strike: Strike,
        further: &[u64],
    ) -> Result<Struck, Miss> {
        let mut scene = self.enter(window).ok_or(Miss::TooLate(0))?;
        let blow = Blow {
            further,
            ..self.blow(strike)?
        };
        let struck = self.fail(&mut scene, &blow);
        let (damage, _) = struck.ok_or(Miss::TooLate(scene.begun + scene.reference.length))?;
        Ok(Struck {
            damage,
            tear: blow.tear,
        })
    }

    /// The blow of a strike in the window that was entered.
    fn blow(&self, strike: Strike) -> Result<Blow<'static>, Miss> {
        let tear = match strike.torn {
            None => None,
            Some(written) => {
                let mut writings = self.exposed.writings.iter();
                let writing = writings.find(|writing| writing.time == strike.failure);
                let stores = writing.map_or(&[][..], |writing| &writing.stores);
                let tear = Tear::after(stores, written);
                Some(tear.ok_or(Miss::NotTorn(stores::size(stores)))?)
            }
        };
        Ok(Blow {
            failure: strike.failure,
            failures: strike.failures..=strike.failures,
            further: &[],
            pairs: &[],
            tear,
        })
    }

    /// Where attempts leave the path of the continuous execution; `strikes` are sorted.
    pub(super) fn departures(
        &mut self,
        strikes: &[Strike],
        monitor: &dyn Monitor,
    ) -> Vec<(Strike, u32)> {
        let mut found = Vec::new();
        for same in strikes.chunk_by(|one, other| one.checkpoint == other.checkpoint) {
            let Some(first) = same.first().filter(|_| !monitor.is_interrupted()) else {
                break;
            };
            let Some(scene) = self.enter(Window::at(self.exposure, first.checkpoint)) else {
                continue;
            };
            for &strike in same {
                let blow = self.blow(strike);
                let pc = blow.ok().and_then(|blow| self.departure(&scene, &blow));
                found.extend(pc.map(|pc| (strike, pc)));
            }
            self.leave(&scene);
        }
        found
    }

    /// Whether some of the differences are not known of all of these pairs.
    pub(super) fn is_news(
        &self,
        manner: Manner,
        pairs: &[(u32, u32)],
        differences: &[Difference],
    ) -> bool {
        let known = |difference: &Difference| {
            let kind = difference.kind();
            let has = |known: &Known, pair| known.has(manner, pair, kind);
            !pairs.is_empty()
                && pairs
                    .iter()
                    .all(|&pair| has(&self.known, pair) || has(&self.known_here, pair))
        };
        !differences.iter().all(known)
    }
}
