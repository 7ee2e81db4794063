//! What observers see, spelled out for one small program, and how calls nest.

use brownout_ir::{Func, Id};
use brownout_vm::{Machine, Stop};

use crate::record::{Event, Recorder};
use crate::support::{LONG, for_programs, image, same};

/// Every access in order, with time, place, old and new bytes.
#[test]
fn a_small_program_access_by_access() {
    let text = "target \"t\" pointer 16\nglobal g0 \"x\" size 16 align 16 = { hex 0102030405060708 }\n\
        function fn0 \"main\" () {\nb0:\n v0 = load i16 g0+2\n store i8 9 to g0\n copy g0+4 from g0 length 6\n\
        fill g0+1 with 7 length 3\n v1 = load i24 g0\n call fn1()\n return\n}\n\
        function fn1 \"f\" () {\n slot s0 size 2 align 2\nb0:\n store i16 5 to s0\n return\n}";
    let image = image(text);
    let mut recorder = Recorder::default();
    assert_eq!(
        Machine::new(&image).run(&mut recorder, LONG),
        Stop::Exited { status: 0 }
    );
    let top = 16 + 1024;
    let address = |offset: u32| (0x1c00 + offset as u16).to_le_bytes().to_vec();
    let load = |time, offset, size| Event::Load { time, offset, size };
    let store = |time, offset, old: &[u8], new: &[u8]| Event::Store {
        time,
        offset,
        old: old.to_vec(),
        new: new.to_vec(),
        hidden: 0,
    };
    let (main, f) = (Func::from_index(0), Func::from_index(1));
    let expected = [
        // The start function calls `main`: return address, then frame pointer.
        store(1, top - 2, &[0, 0], &[4, 0]),
        store(1, top - 4, &[0, 0], &address(top)),
        Event::Call {
            time: 1,
            function: main,
            frame: top - 4,
        },
        load(2, 2, 2),
        store(3, 0, &[1], &[9]),
        load(4, 0, 6),
        store(4, 4, &[5, 6, 7, 8, 0, 0], &[9, 2, 3, 4, 5, 6]),
        // Three words were copied: 4 + 3 instructions by now.
        store(8, 1, &[2, 3, 4], &[7, 7, 7]),
        load(10, 0, 3),
        store(11, top - 6, &[0, 0], &[2, 0]),
        store(11, top - 8, &[0, 0], &address(top - 4)),
        Event::Call {
            time: 11,
            function: f,
            frame: top - 8,
        },
        store(12, top - 10, &[0, 0], &[5, 0]),
        load(13, top - 6, 2),
        load(13, top - 8, 2),
        Event::Return {
            time: 13,
            function: f,
        },
        load(14, top - 2, 2),
        load(14, top - 4, 2),
        Event::Return {
            time: 14,
            function: main,
        },
    ];
    for (index, (seen, expected)) in recorder.events.iter().zip(&expected).enumerate() {
        assert_eq!(seen, expected, "event {index}");
    }
    assert_eq!(recorder.events.len(), expected.len());
}

/// A return leaves the function entered last, a jump out leaves the inner ones, and time never goes back.
#[test]
fn calls_nest() {
    for_programs(400, 8, |setup, _| {
        let image = setup.image();
        let mut machine = Machine::new(&image);
        let mut recorder = Recorder::default();
        machine.watch(&mut recorder, 4_000);
        let mut calls: Vec<Func> = vec![];
        let mut last = 0;
        for event in &recorder.events {
            let time = match event {
                Event::Call { time, function, .. } => {
                    calls.push(*function);
                    time
                }
                Event::Return { time, function } => {
                    same("left", Some(*function), calls.pop())?;
                    time
                }
                Event::Unwind { time, depth } => {
                    calls.truncate(*depth);
                    time
                }
                Event::Load { time, .. }
                | Event::Store { time, .. }
                | Event::Stack { time, .. }
                | Event::Allocate { time, .. }
                | Event::Free { time, .. }
                | Event::Checkpoint { time, .. }
                | Event::Input { time, .. }
                | Event::Output { time, .. }
                | Event::Write { time, .. } => time,
            };
            if *time < last {
                return Err(format!("{event:?} after {last}"));
            }
            last = *time;
        }
        calls.reverse();
        same(
            "in progress",
            calls,
            machine
                .backtrace()
                .into_iter()
                .map(|(func, _)| func)
                .collect(),
        )
    });
}

/// Stack objects lie below the frame pointer, aligned.
#[test]
fn the_frame_of_a_call_is_where_its_objects_are() {
    let text = "target \"t\" pointer 32\nfunction fn0 \"main\" () {\nb0:\n call fn1()\n return\n}\n\
        function fn1 \"f\" () {\n slot s0 size 12 align 16\n slot s1 size 1 align 1\nb0:\n store i8 1 to s0\n store i8 2 to s1\n return\n}";
    let image = image(text);
    let mut recorder = Recorder::default();
    Machine::new(&image).run(&mut recorder, LONG);
    let f: Func = Id::from_index(1);
    let frame = recorder.events.iter().find_map(|event| match event {
        Event::Call {
            function, frame, ..
        } if *function == f => Some(*frame),
        _ => None,
    });
    let frame = frame.unwrap();
    assert_eq!(frame % 16, 0);
    let stored: Vec<u32> = recorder
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Store { offset, new, .. } if new.len() == 1 => Some(*offset),
            _ => None,
        })
        .collect();
    let expected: Vec<u32> = image
        .frame_slots(f)
        .iter()
        .map(|&slot| (frame as i32 + slot) as u32)
        .collect();
    assert_eq!(stored, expected);
    assert_eq!(image.frame_slots(f), [-16, -17]);
}
