//! Walks over a program once and emulates failures on the way.

use std::ops::Range;
use std::sync::Arc;

use brownout_vm::{Bounds, Image, Machine};

use super::attempt::Path;
use super::exposed::{Exposed, Writing};
use super::known::Known;
use super::scene::Scene;
use super::window::Window;
use super::{Damage, Difference, Evaluation, Explored, Harm, Setting, Test};
use crate::calls::Calls;
use crate::objects::Objects;

pub(super) struct Walker<'i> {
    pub(super) image: &'i Image,
    pub(super) saved: Vec<Range<u32>>,
    pub(super) failures: u32,
    atomic_write: Option<u32>,
    pub(super) machine: Machine<'i>,
    pub(super) objects: Objects<'i>,
    pub(super) calls: Calls<'i>,
    pub(super) exposed: Exposed,
    /// What failures of pairs are known to do, from earlier windows and from this one.
    known: Arc<Known>,
    known_here: Known,
    /// Instructions executed; those executed one by one count for more.
    pub(super) spent: u64,
}

impl<'i> Walker<'i> {
    pub(super) fn new(image: &'i Image, setting: Setting<'_>) -> Self {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        Self {
            image,
            saved: setting.saved.to_vec(),
            failures: setting.failures.max(1),
            machine,
            objects: Objects::new(image),
            calls: Calls::new(image),
            exposed: Exposed::new(image, setting.atomic_write),
            atomic_write: setting.atomic_write,
            known: Arc::default(),
            known_here: Known::default(),
            spent: 0,
        }
    }

    /// Emulates tests that are sorted by window and failure.
    pub(super) fn evaluate(
        &mut self,
        part: &[(Window, Test)],
        interrupt: &dyn Fn() -> bool,
    ) -> Vec<Evaluation> {
        let mut results = Vec::new();
        for group in part.chunk_by(|a, b| a.0 == b.0) {
            if interrupt() {
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
                if interrupt() {
                    break;
                }
                let before = self.spent;
                let (damage, _) = self.fail(&mut scene, first.instance.produced, &[], None);
                let instructions = self.spent - before;
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
        interrupt: &dyn Fn() -> bool,
    ) -> Explored {
        self.known = Arc::clone(known);
        let mut explored = Explored {
            complete: true,
            ..Explored::default()
        };
        for &window in windows {
            if interrupt() {
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
            let (damage, path) = self.fail(scene, writing.time, pairs, None);
            departed = if producer {
                path == Path::Another
            } else {
                departed
            };
            explored.failures += 1;
            if self.is_news(pairs, &damage.differences) {
                self.known_here.add(pairs, &damage);
                explored.harm.push(Harm {
                    checkpoint: scene.window.position(),
                    failure: writing.time,
                    pairs: pairs.to_vec(),
                    damage: damage.clone(),
                    torn: None,
                });
            }
            if let Some((offset, old)) = &writing.wide {
                self.tear(scene, writing, (*offset, old), &damage, explored);
            }
        }
    }

    /// Power fails inside a store, after every part of it that is written at once. What `whole` does,
    /// a failure after all of it, is not the tear's doing.
    fn tear(
        &mut self,
        scene: &mut Scene,
        writing: &Writing,
        (offset, old): (u32, &[u8]),
        whole: &Damage,
        explored: &mut Explored,
    ) {
        let step = self.atomic_write.unwrap_or(u32::MAX).max(1) as usize;
        // Parts are aligned as the device has them.
        let first = step - offset as usize % step;
        for written in (first..old.len()).step_by(step) {
            let tear = (offset + written as u32, &old[written..]);
            let (damage, _) = self.fail(scene, writing.time, &[], Some(tear));
            explored.failures += 1;
            if damage.differences.is_empty() || damage.differences == whole.differences {
                continue;
            }
            explored.harm.push(Harm {
                checkpoint: scene.window.position(),
                failure: writing.time,
                pairs: writing.pairs.clone(),
                damage,
                torn: Some(written as u32),
            });
            // One torn state is enough for a window.
            return;
        }
    }

    /// Whether some of the differences are not known of all of these pairs.
    pub(super) fn is_news(&self, pairs: &[(u32, u32)], differences: &[Difference]) -> bool {
        let known = |difference: &Difference| {
            let kind = difference.kind();
            !pairs.is_empty()
                && pairs
                    .iter()
                    .all(|&pair| self.known.has(pair, kind) || self.known_here.has(pair, kind))
        };
        !differences.iter().all(known)
    }
}
