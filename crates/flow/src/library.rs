//! What functions of the C library do to memory, where that is simpler than their bodies.
//!
//! A model replaces the body in `brownout`'s own library, and stands in for functions that the
//! program declares only.

/// One thing a library function does. Arguments are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Reads memory behind an argument.
    Read(u32, Extent),
    /// Reads texts whose addresses are in the memory behind the second argument, if the format behind
    /// the first one asks for any.
    ReadTexts(u32, u32),
    /// Writes memory behind an argument.
    Write(u32, Extent),
    /// Copies memory from behind the second argument to behind the first.
    Copies(u32, u32, Extent),
    /// Returns the argument.
    Returns(u32),
    /// Returns an address in the object behind the argument.
    ReturnsInside(u32),
    /// Returns a new block.
    Allocates,
    /// Ends the program as an error.
    Dies,
}

/// How much memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// As many bytes as an argument says.
    Argument(u32),
    /// An unknown number of bytes.
    Any,
}

use Effect::{Allocates, Copies, Dies, Read, ReadTexts, Returns, ReturnsInside, Write};
use Extent::{Any, Argument};

/// The arguments that say where a function writes, and how far.
pub fn places(effects: &[Effect]) -> Vec<u32> {
    let mut arguments = Vec::new();
    for effect in effects {
        match *effect {
            Write(to, extent) | Copies(to, _, extent) => {
                arguments.push(to);
                if let Argument(length) = extent {
                    arguments.push(length);
                }
            }
            Read(..) | ReadTexts(..) | Returns(_) | ReturnsInside(_) | Allocates | Dies => {}
        }
    }
    arguments
}

/// Whether a format asks for texts.
pub fn asks_for_texts(format: &[u8]) -> bool {
    let mut rest = format.split(|&byte| byte == b'%');
    rest.next();
    rest.any(|directive| {
        let is_option = |byte: &u8| b"0123456789 +-#.*hlLqjzt".contains(byte);
        let conversion = directive.iter().find(|byte| !is_option(byte));
        conversion.is_some_and(|&conversion| conversion == b's')
    })
}

/// The model of a function, if it has one.
pub fn model(name: &str) -> Option<&'static [Effect]> {
    Some(match name {
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
            &[Copies(0, 1, Argument(2)), Returns(0)]
        }
        "mempcpy" => &[Copies(0, 1, Argument(2)), ReturnsInside(0)],
        "bcopy" => &[Copies(1, 0, Argument(2))],
        "memset" | "__memset_chk" => &[Write(0, Argument(2)), Returns(0)],
        "bzero" | "explicit_bzero" => &[Write(0, Argument(1))],
        "memcmp" | "bcmp" => &[Read(0, Argument(2)), Read(1, Argument(2))],
        "memchr" | "memrchr" => &[Read(0, Argument(2)), ReturnsInside(0)],
        "strlen" | "strnlen" | "atoi" | "atol" | "atoll" | "atof" | "puts" | "perror" => {
            &[Read(0, Any)]
        }
        "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "strspn" | "strcspn" => {
            &[Read(0, Any), Read(1, Any)]
        }
        "strchr" | "strrchr" | "index" | "rindex" => &[Read(0, Any), ReturnsInside(0)],
        "strstr" | "strpbrk" => &[Read(0, Any), Read(1, Any), ReturnsInside(0)],
        "strcpy" => &[Copies(0, 1, Any), Returns(0)],
        "strcat" | "strncat" => &[Read(0, Any), Copies(0, 1, Any), Returns(0)],
        "stpcpy" => &[Copies(0, 1, Any), ReturnsInside(0)],
        // What the text leaves of the length is filled.
        "strncpy" => &[Copies(0, 1, Any), Write(0, Argument(2)), Returns(0)],
        "stpncpy" => &[Copies(0, 1, Any), Write(0, Argument(2)), ReturnsInside(0)],
        "putchar" | "putc" | "fputc" | "fflush" | "free" | "cfree" => &[],
        "fputs" => &[Read(0, Any)],
        "fwrite" => &[Read(0, Any)],
        // Behind the last argument is the area of the variable ones.
        "printf" | "vprintf" => &[Read(0, Any), Read(1, Any), ReadTexts(0, 1)],
        "fprintf" | "vfprintf" => &[Read(1, Any), Read(2, Any), ReadTexts(1, 2)],
        "sprintf" | "vsprintf" => &[Read(1, Any), Read(2, Any), ReadTexts(1, 2), Write(0, Any)],
        "snprintf" | "vsnprintf" => &[Read(2, Any), Read(3, Any), ReadTexts(2, 3), Write(0, Any)],
        "malloc" | "calloc" | "aligned_alloc" | "memalign" | "valloc" => &[Allocates],
        "realloc" | "reallocarray" => &[Allocates, ReturnsInside(0)],
        "strdup" | "strndup" => &[Read(0, Any), Allocates],
        "abort" | "__assert_fail" | "__assert" | "__assert_func" | "_assert" => &[Dies],
        _ => return None,
    })
}
