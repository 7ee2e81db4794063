//! What the names of intrinsics say.

use brownout_ir::{FloatBinary, FloatUnary, IntBinary, IntUnary};

/// `llvm.umax.v4i32` → `umax`; stems with dots in them are kept whole.
pub(super) fn stem(name: &str) -> &str {
    let name = name.strip_prefix("llvm.").unwrap_or(name);
    let is_type = |part: &str| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let letters = &part[..part.len() - digits.len()];
        match letters {
            "i" | "f" | "p" | "bf" => {
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            "v" => digits.starts_with(|c: char| c.is_ascii_digit()),
            "sl" | "s" => digits.starts_with('_'),
            "isvoid" => true,
            _ => false,
        }
    };
    let mut end = name.len();
    while let Some(dot) = name[..end].rfind('.') {
        if !is_type(&name[dot + 1..end]) {
            break;
        }
        end = dot;
    }
    &name[..end]
}

pub(super) fn int_binary(stem: &str) -> Option<IntBinary> {
    Some(match stem {
        "umin" => IntBinary::UMin,
        "umax" => IntBinary::UMax,
        "smin" => IntBinary::SMin,
        "smax" => IntBinary::SMax,
        "uadd.sat" => IntBinary::UAddSat,
        "sadd.sat" => IntBinary::SAddSat,
        "usub.sat" => IntBinary::USubSat,
        "ssub.sat" => IntBinary::SSubSat,
        "ushl.sat" => IntBinary::UShlSat,
        "sshl.sat" => IntBinary::SShlSat,
        _ => return None,
    })
}

pub(super) fn int_unary(stem: &str) -> Option<IntUnary> {
    Some(match stem {
        "ctpop" => IntUnary::PopCount,
        "ctlz" => IntUnary::LeadingZeros,
        "cttz" => IntUnary::TrailingZeros,
        "bswap" => IntUnary::ByteSwap,
        "bitreverse" => IntUnary::BitReverse,
        "abs" => IntUnary::Abs,
        _ => return None,
    })
}

pub(super) fn float_binary(stem: &str) -> Option<FloatBinary> {
    Some(match stem {
        "minnum" | "minimumnum" => FloatBinary::MinNum,
        "maxnum" | "maximumnum" => FloatBinary::MaxNum,
        "minimum" => FloatBinary::Minimum,
        "maximum" => FloatBinary::Maximum,
        "copysign" => FloatBinary::CopySign,
        "pow" => FloatBinary::Pow,
        "atan2" => FloatBinary::Atan2,
        _ => return None,
    })
}

pub(super) fn float_unary(stem: &str) -> Option<FloatUnary> {
    Some(match stem {
        "trunc" => FloatUnary::Trunc,
        "nearbyint" | "roundeven" | "rint" => FloatUnary::RoundEven,
        "sqrt" | "fabs" | "floor" | "ceil" | "round" | "sin" | "cos" | "tan" | "asin" | "acos"
        | "atan" | "sinh" | "cosh" | "tanh" | "exp" | "exp2" | "exp10" | "log" | "log2"
        | "log10" | "canonicalize" => FloatUnary::from_name(stem)?,
        _ => return None,
    })
}

pub(super) fn with_overflow(stem: &str) -> Option<(IntBinary, IntBinary)> {
    Some(match stem {
        "sadd.with.overflow" => (IntBinary::Add, IntBinary::SAddOverflow),
        "uadd.with.overflow" => (IntBinary::Add, IntBinary::UAddOverflow),
        "ssub.with.overflow" => (IntBinary::Sub, IntBinary::SSubOverflow),
        "usub.with.overflow" => (IntBinary::Sub, IntBinary::USubOverflow),
        "smul.with.overflow" => (IntBinary::Mul, IntBinary::SMulOverflow),
        "umul.with.overflow" => (IntBinary::Mul, IntBinary::UMulOverflow),
        _ => return None,
    })
}
