//! Text as HTML.

/// Text with what is special in HTML escaped.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Text in which backticks mark code.
pub(super) fn code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd number of backticks is no markup.
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let piece = |(index, part): (usize, &&str)| match index % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.iter().enumerate().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::{code, escape};

    #[test]
    fn nothing_of_the_program_is_markup() {
        assert_eq!(escape("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        assert_eq!(code("`a<b` is"), "<code>a&lt;b</code> is");
        assert_eq!(code("a ` b"), "a ` b");
    }
}
