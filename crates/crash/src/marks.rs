//! Lines of the source that a boot is watched for: `explore.from` and `explore.until`.
//!
//! Before the first instruction of the line in every block a service is called that tells the
//! observer; under policy `restart` nothing else does.

use brownout_ir::{Inst, Op, Operand, Program, Service};
use brownout_vm::Image;

/// Lets the program tell when it comes to lines; how often each is found in it.
pub fn mark(program: &mut Program, is_there: &dyn Fn(&str, u32) -> bool) -> usize {
    let source = program.source.clone();
    let is_on_line = |inst: &Inst| {
        let place = inst.place.and_then(|place| source.places.get(place));
        place.is_some_and(|place| {
            let file = source.files.get(place.file).map_or("", String::as_str);
            is_there(file, place.line)
        })
    };
    let mut count = 0;
    for (_, function) in program.functions.iter_mut() {
        let Some(body) = &mut function.body else {
            continue;
        };
        for (_, data) in body.blocks.iter_mut() {
            let mut was_on_line = false;
            let insts = std::mem::take(&mut data.insts);
            for inst in insts {
                let is_on_line = is_on_line(&inst);
                if is_on_line && !was_on_line {
                    count += 1;
                    data.insts.push(Inst {
                        op: Op::Service {
                            service: Service::CheckpointWith,
                            args: vec![Operand::Bits(0), Operand::Bits(0)],
                        },
                        results: vec![],
                        place: inst.place,
                    });
                }
                was_on_line = is_on_line;
                data.insts.push(inst);
            }
        }
    }
    count
}

/// The operations of lines.
pub fn operations(image: &Image, is_there: &dyn Fn(&str, u32) -> bool) -> Vec<u32> {
    let source = &image.program().source;
    let is_on_line = |pc: &u32| {
        let place = image.place(*pc).and_then(|place| source.places.get(place));
        place.is_some_and(|place| {
            let file = source.files.get(place.file).map_or("", String::as_str);
            is_there(file, place.line)
        })
    };
    (0..image.operations() as u32).filter(is_on_line).collect()
}
