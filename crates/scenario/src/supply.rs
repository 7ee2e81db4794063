//! A power supply: what a harvester gives over time, and how long a device runs on it.
//!
//! The trace is the text of a CSV file with a heading: a column `time` (seconds) and one of `voltage`
//! (volt, at the device) and `power` (watt, into the capacitor of `[energy]`). Each row holds until
//! the next; after the last, which lasts as long as the one before it, the trace begins again.
//!
//! The device starts when there is `v-on` and stops below `v-min`. With `power`, the capacitor gains
//! what is harvested and loses `current` times its voltage while the device is on; its energy is
//! ½·C·V², and its voltage never exceeds `v-on`. The device executes one instruction per clock cycle.
//!
//! **Invariant**: no supply is empty, and the times of its rows grow from row to row.

use std::fmt;

use crate::energy::Energy;

/// Instructions between two looks at the voltage.
const STEP: u64 = 16;

/// Power that lasts for so many instructions stays: hardly an execution is as long.
const LONG: u64 = 1_000_000_000;

/// After so many rows without a start there will be none.
const PATIENCE: u64 = 10_000_000;

/// How long power lasts, counted in instructions from when the device starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lasting {
    /// Up to the power failure; none if power stays.
    pub instructions: Option<u64>,
    /// Up to the moment when the voltage falls below `v-trigger`, if that leaves time for a checkpoint.
    pub warning: Option<u64>,
}

/// A power supply, somewhere in its trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Supply {
    rows: Vec<Row>,
    kind: Kind,
    device: Energy,
    start_voltage: f64,
    /// Seconds since the trace began for the first time.
    now: f64,
    /// In the capacitor, in joule.
    charge: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    time: f64,
    value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Voltage,
    Power,
}

/// What is wrong with the trace of a supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadSupply {
    /// The heading lacks `time`, or both `voltage` and `power`.
    Heading,
    /// A line has something that is no number, or a negative one.
    Number {
        /// The line, from 1.
        line: u32,
    },
    /// The time of a line is not later than that of the one before.
    Order {
        /// The line, from 1.
        line: u32,
    },
    /// There are fewer than two rows: nobody can say how long they last.
    Short,
    /// The device never starts.
    Never,
    /// Nothing says at which voltage it starts.
    NoStart,
    /// It starts at a voltage at which it expects power to fail.
    LowStart,
}

impl fmt::Display for BadSupply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadSupply::Heading => formatter.write_str(
                "the first line must name the columns: `time`, and `voltage` or `power`",
            ),
            BadSupply::Number { line } => {
                write!(formatter, "line {line}: must have numbers from 0 on")
            }
            BadSupply::Order { line } => {
                write!(formatter, "line {line}: is not later than the line before")
            }
            BadSupply::Short => formatter.write_str("needs at least two rows"),
            BadSupply::Never => {
                formatter.write_str("the device never starts: there is never `v-on`")
            }
            BadSupply::NoStart => {
                formatter.write_str("`energy.v-on` is missing: when does the device start?")
            }
            BadSupply::LowStart => {
                formatter.write_str("`energy.v-on` must not be below `v-trigger`")
            }
        }
    }
}

impl Supply {
    /// A supply from the text of its trace.
    ///
    /// # Errors
    /// If the text is no trace, or the device never starts with it.
    pub fn new(text: &str, device: Energy) -> Result<Supply, BadSupply> {
        let start_voltage = device.start_voltage.ok_or(BadSupply::NoStart)?;
        if start_voltage < device.trigger_voltage {
            return Err(BadSupply::LowStart);
        }
        let lines = text.trim_start_matches('\u{feff}').lines().zip(1u32..);
        let mut lines = lines
            .map(|(line, number)| (line.trim(), number))
            .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        let heading: Vec<&str> = lines.next().map_or_else(Vec::new, |(line, _)| fields(line));
        let column = |name: &str| {
            let mut found = heading.iter();
            found.position(|field| field.trim_matches('"').eq_ignore_ascii_case(name))
        };
        let time = column("time").ok_or(BadSupply::Heading)?;
        let (value, kind) = column("voltage")
            .map(|column| (column, Kind::Voltage))
            .or_else(|| column("power").map(|column| (column, Kind::Power)))
            .ok_or(BadSupply::Heading)?;
        let mut rows: Vec<Row> = Vec::new();
        for (text, line) in lines {
            let fields = fields(text);
            let number = |column: usize| {
                let number = fields.get(column)?.parse::<f64>().ok()?;
                (number.is_finite() && number >= 0.0).then_some(number)
            };
            let (Some(time), Some(value)) = (number(time), number(value)) else {
                return Err(BadSupply::Number { line });
            };
            if rows.last().is_some_and(|last| last.time >= time) {
                return Err(BadSupply::Order { line });
            }
            rows.push(Row { time, value });
        }
        if rows.len() < 2 {
            return Err(BadSupply::Short);
        }
        // Time begins with the first row.
        let begin = rows.first().map_or(0.0, |row| row.time);
        rows.iter_mut().for_each(|row| row.time -= begin);
        let supply = Supply {
            rows,
            kind,
            device,
            start_voltage,
            now: 0.0,
            charge: 0.0,
        };
        match supply.clone().start() {
            true => Ok(supply),
            false => Err(BadSupply::Never),
        }
    }

    /// How long the trace is.
    fn period(&self) -> f64 {
        match self.rows[..] {
            [.., before, last] => last.time + (last.time - before.time),
            _ => f64::INFINITY,
        }
    }

    /// What the row that holds now says, and for how long it still does.
    fn row(&self) -> (f64, f64) {
        let period = self.period();
        let at = self.now % period;
        let next = self.rows.partition_point(|row| row.time <= at);
        let end = self.rows.get(next).map_or(period, |row| row.time);
        let value = self.rows[next.saturating_sub(1)].value;
        // Rounding must not make time stand still.
        (value, (end - at).max(1e-12))
    }

    fn voltage(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Voltage => value,
            Kind::Power => (2.0 * self.charge / self.device.capacitance).sqrt(),
        }
    }

    fn charge_at(&self, voltage: f64) -> f64 {
        0.5 * self.device.capacitance * voltage * voltage
    }

    /// Waits until the device starts; whether it ever does.
    fn start(&mut self) -> bool {
        // Charging takes as many rounds as it takes, as long as there is anything to charge with.
        let full = self.charge_at(self.start_voltage);
        let mut idle = 0.0;
        for _ in 0..PATIENCE {
            let (value, rest) = self.row();
            match self.kind {
                Kind::Voltage if value >= self.start_voltage => return true,
                Kind::Voltage => {}
                Kind::Power => {
                    let missing = full - self.charge;
                    if missing <= value * rest {
                        self.now += if value > 0.0 { missing / value } else { 0.0 };
                        self.charge = full;
                        return true;
                    }
                    self.charge += value * rest;
                    if value > 0.0 {
                        idle = 0.0;
                    }
                }
            }
            self.now += rest;
            idle += rest;
            if idle > 2.0 * self.period() {
                return false;
            }
        }
        false
    }
}

impl Iterator for Supply {
    type Item = Lasting;

    /// Waits for power; says how long it lasts.
    fn next(&mut self) -> Option<Lasting> {
        if !self.start() {
            return None;
        }
        let device = self.device;
        let full = self.charge_at(self.start_voltage);
        let (begun, begun_charge) = (self.now, self.charge);
        let mut instructions = 0;
        let mut warning = None;
        loop {
            let (value, _) = self.row();
            let voltage = self.voltage(value);
            if voltage < device.trigger_voltage && warning.is_none() {
                warning = Some(instructions);
            }
            if voltage < device.minimum_voltage {
                // A warning that leaves no time for a checkpoint is none.
                let needed = (device.checkpoint_time * device.clock) as u64;
                return Some(Lasting {
                    instructions: Some(instructions),
                    warning: warning.filter(|warning| instructions - warning > needed),
                });
            }
            // A whole round without a loss: it goes on like this.
            let is_steady = self.now - begun > self.period() && self.charge >= begun_charge;
            if is_steady || instructions > LONG {
                return Some(Lasting {
                    instructions: None,
                    warning: None,
                });
            }
            let step = STEP as f64 / device.clock;
            let harvested = match self.kind {
                Kind::Power => value * step,
                Kind::Voltage => 0.0,
            };
            let used = device.current * voltage * step;
            if self.kind == Kind::Power {
                self.charge = (self.charge + harvested - used).clamp(0.0, full);
            }
            self.now += step;
            instructions += STEP;
        }
    }
}

fn fields(line: &str) -> Vec<&str> {
    line.split(',').map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::{BadSupply, Lasting, Supply};
    use crate::energy::Energy;

    const DEVICE: Energy = Energy {
        capacitance: 10e-6,
        trigger_voltage: 2.2,
        minimum_voltage: 1.88,
        current: 270e-6,
        clock: 1e6,
        checkpoint_time: 0.0,
        start_voltage: Some(3.0),
    };

    fn supply(text: &str) -> Result<Supply, BadSupply> {
        Supply::new(text, DEVICE)
    }

    #[test]
    fn a_voltage_turns_the_device_on_and_off() {
        let text = "time,voltage\n0,0\n1,3.3\n1.001,2.0\n1.002,1.0\n2,0";
        let mut supply = supply(text).unwrap();
        let one = Lasting {
            instructions: Some(2000),
            warning: Some(1008),
        };
        assert_eq!(supply.next(), Some(one));
        assert_eq!(
            supply.next().and_then(|lasting| lasting.instructions),
            Some(2000)
        );
    }

    /// Without harvest the capacitor falls from 3.0 to 1.88 V as C·ΔV/I says: 41,481 instructions.
    #[test]
    fn a_capacitor_lasts_as_long_as_its_charge() {
        let text = "time,power\n0,0.001\n0.046,0\n100,0";
        let lasting = supply(text).unwrap().next().unwrap();
        let instructions = lasting.instructions.unwrap();
        assert!((41_000..43_500).contains(&instructions), "{instructions}");
        let left = instructions - lasting.warning.unwrap();
        let depth = DEVICE.execution_depth().unwrap();
        assert!(left.abs_diff(depth) < 100, "{left} {depth}");
    }

    /// A day, and then nothing for a second: longer than anybody wants to know.
    #[test]
    fn power_that_lasts_for_a_day_stays() {
        let lasting = supply("time,voltage\n0,3.3\n86400,0\n86401,0").unwrap();
        assert_eq!(lasting.clone().next().unwrap().instructions, None);
    }

    #[test]
    fn power_that_suffices_stays() {
        let lasting = supply("time,power\n0,0.002\n1,0.002").unwrap().next();
        assert_eq!(lasting.unwrap().instructions, None);
    }

    #[test]
    fn mistakes_are_named() {
        let cases = [
            ("", BadSupply::Heading),
            ("0,3.3\n1,3.3", BadSupply::Heading),
            ("time,voltage\n0,3.3", BadSupply::Short),
            ("time,voltage\n0,3.3\n0,3.3", BadSupply::Order { line: 3 }),
            ("time,voltage\n0,3.3\n1,much", BadSupply::Number { line: 3 }),
            ("time,voltage\n0,1\n1,2", BadSupply::Never),
            ("time,power\n0,0\n1,0", BadSupply::Never),
            ("time,power\n0,1e-300\n1,0", BadSupply::Never),
        ];
        for (text, expected) in cases {
            assert_eq!(supply(text), Err(expected), "{text:?}");
        }
    }
}
