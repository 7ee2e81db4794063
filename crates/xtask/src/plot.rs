//! Bar charts on a logarithmic scale, as SVG.

use std::fmt::Write;

/// Bars of one colour.
pub(crate) struct Series {
    pub(crate) name: &'static str,
    pub(crate) values: Vec<f64>,
}

/// Groups of bars.
pub(crate) struct Bars {
    pub(crate) title: String,
    pub(crate) unit: &'static str,
    pub(crate) groups: Vec<String>,
    pub(crate) series: Vec<Series>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 330.0;
const COLORS: [&str; 4] = ["#2b6cb0", "#dd6b20", "#718096", "#cbd5e0"];

impl Bars {
    /// The picture.
    pub(crate) fn svg(&self) -> String {
        let values = || {
            let all = self.series.iter().flat_map(|series| &series.values);
            all.copied().filter(|value| *value > 0.0)
        };
        let low = values().fold(f64::MAX, f64::min).log10().floor();
        let high = values()
            .fold(f64::MIN, f64::max)
            .log10()
            .ceil()
            .max(low + 1.0);
        let y = |value: f64| {
            let share = (value.log10() - low) / (high - low);
            BOTTOM - share.clamp(0.0, 1.0) * (BOTTOM - TOP)
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>\n",
            self.title, self.title
        );
        for power in low as i32..=high as i32 {
            let at = y(10f64.powi(power));
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#e2e8f0\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">10<tspan dy=\"-4\" font-size=\"9\">{power}</tspan></text>",
                WIDTH - 10.0,
                LEFT - 8.0,
                at + 4.0
            );
        }
        let group = (WIDTH - 10.0 - LEFT) / self.groups.len().max(1) as f64;
        let bar = group * 0.8 / self.series.len().max(1) as f64;
        for (number, name) in self.groups.iter().enumerate() {
            let start = LEFT + group * number as f64;
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
                start + group / 2.0,
                BOTTOM + 18.0
            );
            for (index, series) in self.series.iter().enumerate() {
                let value = series.values.get(number).copied().unwrap_or(0.0);
                if value <= 0.0 {
                    continue;
                }
                let top = y(value);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{bar:.1}\" height=\"{:.1}\" fill=\"{}\">\
                     <title>{}: {value} {}</title></rect>",
                    start + group * 0.1 + bar * index as f64,
                    BOTTOM - top,
                    COLORS[index % COLORS.len()],
                    series.name,
                    self.unit
                );
            }
        }
        for (index, series) in self.series.iter().enumerate() {
            let x = LEFT + 170.0 * index as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"366\" width=\"11\" height=\"11\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"376\" font-size=\"11\">{}</text>",
                COLORS[index % COLORS.len()],
                x + 16.0,
                series.name
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}
