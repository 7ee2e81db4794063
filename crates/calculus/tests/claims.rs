//! The claims of the paper, asked of random programs.

use brownout_calculus::claims::CLAIMS;

#[test]
fn claims_hold() {
    let only = std::env::var("CLAIM").unwrap_or_default();
    for claim in CLAIMS.iter().filter(|claim| claim.name.contains(&only)) {
        let started = std::time::Instant::now();
        match claim.sweep(0..5000) {
            Ok(count) => println!("{}: {count:?} {:?}", claim.name, started.elapsed()),
            Err(counterexample) => panic!("{counterexample}"),
        }
    }
}
