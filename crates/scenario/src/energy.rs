//! Execution depth from the electrical side of the device: EWSN'21 §6.1, equations 1–4.
//!
//! A capacitor of capacitance C that feeds a constant current I falls from V_trig to V_min in
//! Δt = C·(V_trig − V_min)/I. The checkpoint takes t_chk of that; in the rest the processor executes
//! ED = f·(Δt − t_chk) instructions, one per clock cycle.
//!
//! The paper gives I = 250, 270 and 310 µA, f = 1 MHz, t_chk = 1.4 ms, V_min = 1.88 V and the range
//! 2,470 to 5,800, but names the capacitances and thresholds only in the drawing of its figure 8.
//! Both ends come out exactly for C = 10 µF: 2,470 at 310 µA with V_trig = 2.00 V, and 5,800 at
//! 250 µA with V_trig = 2.06 V (or 15 µF with 2.00 V: only the product matters). The tests hold them.
//!
//! **Invariant**: every quantity is in SI base units and finite.

/// What an `[energy]` section says, in SI base units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// Capacitance in farad.
    pub capacitance: f64,
    /// Voltage at which a checkpoint is taken, in volt.
    pub trigger_voltage: f64,
    /// Voltage at which the processor stops, in volt.
    pub minimum_voltage: f64,
    /// Current draw in ampere.
    pub current: f64,
    /// Clock frequency in hertz.
    pub clock: f64,
    /// How long a checkpoint takes, in seconds.
    pub checkpoint_time: f64,
    /// Voltage at which the device starts, in volt; only a supply needs it.
    pub start_voltage: Option<f64>,
}

impl Energy {
    /// How many instructions run between the checkpoint and the power failure.
    ///
    /// `None` when that is less than one: the energy does not outlast the checkpoint.
    pub fn execution_depth(&self) -> Option<u64> {
        let discharge =
            self.capacitance * (self.trigger_voltage - self.minimum_voltage) / self.current;
        let instructions = self.clock * (discharge - self.checkpoint_time);
        // Decimal inputs are not exact in binary: what is a thousandth short of whole is whole.
        let whole = (instructions + 1e-3).floor();
        (1.0..1e18).contains(&whole).then_some(whole as u64)
    }
}

/// The dimension that a key of the configuration expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Farad.
    Capacitance,
    /// Volt.
    Voltage,
    /// Ampere.
    Current,
    /// Hertz.
    Frequency,
    /// Seconds.
    Duration,
}

impl Dimension {
    /// The units that are understood, with their value in SI base units.
    pub fn units(self) -> &'static [(&'static str, f64)] {
        match self {
            Dimension::Capacitance => &[
                ("F", 1.0),
                ("mF", 1e-3),
                ("uF", 1e-6),
                ("nF", 1e-9),
                ("pF", 1e-12),
            ],
            Dimension::Voltage => &[("V", 1.0), ("mV", 1e-3)],
            Dimension::Current => &[("A", 1.0), ("mA", 1e-3), ("uA", 1e-6), ("nA", 1e-9)],
            Dimension::Frequency => &[("Hz", 1.0), ("kHz", 1e3), ("MHz", 1e6), ("GHz", 1e9)],
            Dimension::Duration => &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)],
        }
    }

    /// The value of a text such as `10uF`, `10 µF` or `1e-5` in SI base units.
    pub fn parse(self, text: &str) -> Option<f64> {
        let text = text.trim().replace(['\u{b5}', '\u{3bc}'], "u");
        // The longest unit that fits is the last one that does: `ms` before `s`.
        let with_unit = self
            .units()
            .iter()
            .filter_map(|&(unit, factor)| Some((unit.len(), text.strip_suffix(unit)?, factor)))
            .max_by_key(|&(length, ..)| length);
        let (number, factor) = match with_unit {
            Some((_, number, factor)) => (number.trim_end(), factor),
            None => (text.as_str(), 1.0),
        };
        let begins_a_number =
            number.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        if !begins_a_number {
            return None;
        }
        let value = number.parse::<f64>().ok()? * factor;
        value.is_finite().then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::{Dimension, Energy};

    const PAPER: Energy = Energy {
        capacitance: 10e-6,
        trigger_voltage: 2.0,
        minimum_voltage: 1.88,
        current: 310e-6,
        clock: 1e6,
        checkpoint_time: 1.4e-3,
        start_voltage: None,
    };

    #[test]
    fn reproduces_the_range_of_figure_8() {
        assert_eq!(PAPER.execution_depth(), Some(2_470));
        let largest = Energy {
            trigger_voltage: 2.06,
            current: 250e-6,
            ..PAPER
        };
        assert_eq!(largest.execution_depth(), Some(5_800));
        let same_product = Energy {
            capacitance: 15e-6,
            current: 250e-6,
            ..PAPER
        };
        assert_eq!(same_product.execution_depth(), Some(5_800));
    }

    #[test]
    fn lies_within_the_range_between_its_ends() {
        for current in [250e-6, 270e-6, 310e-6] {
            for trigger_voltage in [2.0, 2.02, 2.04, 2.06] {
                let device = Energy {
                    current,
                    trigger_voltage,
                    ..PAPER
                };
                let depth = device.execution_depth().unwrap();
                assert!((2_470..=5_800).contains(&depth), "{device:?}: {depth}");
            }
        }
    }

    #[test]
    fn no_depth_without_energy_left() {
        let cases = [
            Energy {
                trigger_voltage: 1.88,
                ..PAPER
            },
            Energy {
                checkpoint_time: 1.0,
                ..PAPER
            },
            Energy {
                current: 0.0,
                ..PAPER
            },
            Energy {
                current: f64::NAN,
                ..PAPER
            },
        ];
        for device in cases {
            assert_eq!(device.execution_depth(), None, "{device:?}");
        }
    }

    #[test]
    fn quantities() {
        use Dimension::{Capacitance, Current, Duration, Frequency, Voltage};
        let cases = [
            (Capacitance, "10uF", Some(10e-6)),
            (Capacitance, "10 µF", Some(10e-6)),
            (Capacitance, "10μF", Some(10e-6)),
            (Capacitance, "4.7mF", Some(4.7e-3)),
            (Capacitance, "100nF", Some(100e-9)),
            (Capacitance, "22pF", Some(22e-12)),
            (Capacitance, "1F", Some(1.0)),
            (Capacitance, "0.00001", Some(1e-5)),
            (Capacitance, "1e-5", Some(1e-5)),
            (Current, "270uA", Some(270e-6)),
            (Current, "2mA", Some(2e-3)),
            (Current, "5nA", Some(5e-9)),
            (Current, ".5A", Some(0.5)),
            (Frequency, "1MHz", Some(1e6)),
            (Frequency, "32.768kHz", Some(32_768.0)),
            (Frequency, "1GHz", Some(1e9)),
            (Frequency, "50 Hz", Some(50.0)),
            (Duration, "1.4ms", Some(1.4e-3)),
            (Duration, "3us", Some(3e-6)),
            (Duration, "3ns", Some(3e-9)),
            (Duration, "2s", Some(2.0)),
            (Voltage, "2.2V", Some(2.2)),
            (Voltage, "1880mV", Some(1.88)),
            (Capacitance, "10uA", None),
            (Capacitance, "10kF", None),
            (Capacitance, "uF", None),
            (Capacitance, "", None),
            (Capacitance, "-1uF", None),
            (Capacitance, "infF", None),
            (Capacitance, "nan", None),
            (Frequency, "1mhz", None),
            (Frequency, "1e999MHz", None),
            (Duration, "1.4.2ms", None),
        ];
        for (dimension, text, expected) in cases {
            let found = dimension.parse(text);
            let agrees = match (found, expected) {
                (Some(found), Some(expected)) => (found / expected - 1.0f64).abs() < 1e-12,
                (found, expected) => found == expected,
            };
            assert!(agrees, "{text:?}: {found:?}");
        }
    }
}
