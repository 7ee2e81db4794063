//! Where the ways out of a block meet again, one function at a time.
//!
//! What a branch decides about ends at its closest post-dominator. The [`supergraph`] knows those
//! of the whole program; an analysis that follows one execution, call by call, needs them within a
//! function, which is what this file gives. Both agree on what an end is: returning, committing,
//! and going round a loop for ever. A block after which nothing follows, as after `abort`, is
//! none: those who go on do not depend on it.
//!
//! [`supergraph`]: crate::supergraph

use brownout_ir::{Block, Body, Id, Inst, Terminator};

use crate::graph::Graph;
use crate::supergraph::does_something;

/// For every block, the first one that all ways out of it lead to. `None` if that is the end of
/// the call, or if there is no end. `commits` says which instructions commit.
pub fn meets(body: &Body, commits: impl Fn(&Inst) -> bool) -> Vec<Option<Block>> {
    // Entering a block and executing it are two nodes: who comes back to the head of a loop has
    // left its branches behind.
    let entering = |block: Block| 2 * block.index() as u32;
    let exit = 2 * body.blocks.len() as u32;
    let mut graph = Graph::new(exit as usize + 1);
    for (block, data) in body.blocks.iter() {
        let inside = entering(block) + 1;
        graph.connect(entering(block), inside);
        for edge in data.terminator.edges() {
            graph.connect(inside, entering(edge.block));
        }
        if matches!(data.terminator, Terminator::Return(_)) {
            graph.connect(inside, exit);
        }
        // A commit is before the block's own branch, and after those of others.
        if data.insts.iter().any(&commits) {
            graph.connect(entering(block), exit);
        }
    }
    graph.open_endless_loops(exit, &[entering(body.entry())], |head, components| {
        let around = components[head as usize];
        body.blocks.iter().any(|(block, data)| {
            components[entering(block) as usize] == around
                && data.insts.iter().any(|inst| does_something(&inst.op))
        })
    });
    let immediate = graph.post_dominators(exit);
    let blocks = body.blocks.iter().map(|(block, _)| block);
    blocks
        .map(|block| immediate[entering(block) as usize + 1])
        .map(|meet| meet.filter(|&meet| meet != exit))
        .map(|meet| meet.map(|meet| Block::from_index(meet as usize / 2)))
        .collect()
}

#[cfg(test)]
mod tests {
    use brownout_ir::{Callee, Func, Id, Inst, Op, parse};

    use super::meets;

    /// The meets of the first function; the second one commits.
    fn of(body: &str) -> Vec<Option<usize>> {
        let text = format!(
            "target \"msp430\" pointer 16\n\nglobal g0 \"x\" size 2 align 2 exported = {{}}\n\n\
             function fn0 \"main\" (i1) exported {{\n{body}}}\n\nfunction fn1 \"commit\" () exported\n"
        );
        let program = match parse(&text) {
            Ok(program) => program,
            Err(error) => unreachable!("{error}\n{text}"),
        };
        let body = program.functions[Func::from_index(0)].body.clone();
        let commits = |inst: &Inst| {
            let commit = Callee::Direct(Func::from_index(1));
            matches!(&inst.op, Op::Call { callee, .. } if *callee == commit)
        };
        let blocks = meets(&body.unwrap_or_default(), commits).into_iter();
        blocks.map(|meet| meet.map(Id::index)).collect()
    }

    #[test]
    fn ways_meet_behind_both_sides() {
        let found =
            of("b0(v0: i1):\n  branch v0, b1, b2\nb1:\n  jump b3\nb2:\n  jump b3\nb3:\n  return\n");
        assert_eq!(found, [Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn an_early_return_lasts_to_the_end_of_the_call() {
        let found = of("b0(v0: i1):\n  branch v0, b1, b2\nb1:\n  return\nb2:\n  return\n");
        assert_eq!(found, [None, None, None]);
    }

    #[test]
    fn those_who_go_on_do_not_depend_on_those_who_die() {
        let found = of("b0(v0: i1):\n  branch v0, b1, b2\nb1:\n  unreachable\nb2:\n  return\n");
        assert_eq!(found, [Some(2), None, None]);
    }

    #[test]
    fn an_endless_loop_ends_where_it_begins_again() {
        let found = of(
            "b0(v0: i1):\n  jump b1\nb1:\n  store i16 1 to g0\n  branch v0, b2, b3\nb2:\n  jump b3\nb3:\n  jump b1\n",
        );
        assert_eq!(found, [Some(1), Some(3), Some(3), Some(1)]);
    }

    #[test]
    fn a_commit_is_an_end() {
        let found =
            of("b0(v0: i1):\n  branch v0, b1, b2\nb1:\n  call fn1()\n  jump b2\nb2:\n  return\n");
        assert_eq!(found, [None, Some(2), None]);
    }
}
