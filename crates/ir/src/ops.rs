//! The operators, each with its one spelling in the text format.
//! What they compute is defined in [`crate::eval`].

/// Declares an enum of operators with their text names.
macro_rules! operators {
    ($($(#[$meta:meta])* $enum:ident { $($(#[$vmeta:meta])* $variant:ident $name:literal),* $(,)? })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $enum { $(#[doc = concat!("`", $name, "`")] $(#[$vmeta])* $variant),* }

        impl $enum {
            /// Every operator of this kind.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The spelling in the text format.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The operator with that spelling.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    )*};
}

operators! {
    /// Integer operators of two operands. The `…_overflow` ones give one bit:
    /// whether the exact result does not fit.
    IntBinary {
        Add "add", Sub "sub", Mul "mul",
        UDiv "udiv", SDiv "sdiv", URem "urem", SRem "srem",
        And "and", Or "or", Xor "xor",
        Shl "shl", LShr "lshr", AShr "ashr",
        UMin "umin", UMax "umax", SMin "smin", SMax "smax",
        UAddSat "uadd_sat", SAddSat "sadd_sat", USubSat "usub_sat", SSubSat "ssub_sat",
        UShlSat "ushl_sat", SShlSat "sshl_sat",
        UAddOverflow "uadd_overflow", SAddOverflow "sadd_overflow",
        USubOverflow "usub_overflow", SSubOverflow "ssub_overflow",
        UMulOverflow "umul_overflow", SMulOverflow "smul_overflow",
    }

    /// Integer operators of one operand.
    IntUnary {
        PopCount "popcount", LeadingZeros "clz", TrailingZeros "ctz",
        ByteSwap "bswap", BitReverse "bitreverse", Abs "abs",
    }

    /// Integer operators of three operands: double-width (funnel) shifts.
    IntTernary { FunnelLeft "fshl", FunnelRight "fshr" }

    /// Floating-point operators of two operands. `fmin_num`/`fmax_num` prefer
    /// the number when one side is not one; `fminimum`/`fmaximum` do not.
    FloatBinary {
        Add "fadd", Sub "fsub", Mul "fmul", Div "fdiv", Rem "frem",
        MinNum "fmin_num", MaxNum "fmax_num", Minimum "fminimum", Maximum "fmaximum",
        CopySign "copysign", Pow "pow", Atan2 "atan2", Hypot "hypot",
        Remainder "remainder", Dim "fdim",
    }

    /// Floating-point operators of one operand.
    FloatUnary {
        Neg "fneg", Abs "fabs", Sqrt "sqrt", Floor "floor", Ceil "ceil", Trunc "ftrunc",
        Round "round", RoundEven "rint",
        Sin "sin", Cos "cos", Tan "tan", Asin "asin", Acos "acos", Atan "atan",
        Sinh "sinh", Cosh "cosh", Tanh "tanh", Asinh "asinh", Acosh "acosh", Atanh "atanh",
        Exp "exp", Exp2 "exp2", Exp10 "exp10", ExpM1 "expm1",
        Log "log", Log2 "log2", Log10 "log10", Log1P "log1p", Cbrt "cbrt",
        Erf "erf", Erfc "erfc", TGamma "tgamma", LGamma "lgamma",
        Canonicalize "canonicalize",
    }

    /// Integer comparisons.
    IntPredicate {
        Eq "eq", Ne "ne", ULt "ult", ULe "ule", UGt "ugt", UGe "uge",
        SLt "slt", SLe "sle", SGt "sgt", SGe "sge",
    }

    /// Floating-point comparisons: `o…` is false and `u…` true when a side is not a number.
    FloatPredicate {
        False "false", OEq "oeq", OGt "ogt", OGe "oge", OLt "olt", OLe "ole", One "one", Ord "ord",
        UEq "ueq", UGt "fugt", UGe "fuge", ULt "fult", ULe "fule", UNe "une", Uno "uno", True "true",
    }

    /// Conversions.
    CastOp {
        ZExt "zext", SExt "sext", Trunc "trunc",
        FloatToUInt "fptoui", FloatToSInt "fptosi", UIntToFloat "uitofp", SIntToFloat "sitofp",
        FloatExt "fpext", FloatTrunc "fptrunc",
        /// Same bits, other type.
        Bitcast "bitcast",
        PtrToInt "ptrtoint", IntToPtr "inttoptr",
    }
}

impl IntPredicate {
    /// The predicate that holds exactly when this one does not.
    pub const fn negated(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::ULt => Self::UGe,
            Self::ULe => Self::UGt,
            Self::UGt => Self::ULe,
            Self::UGe => Self::ULt,
            Self::SLt => Self::SGe,
            Self::SLe => Self::SGt,
            Self::SGt => Self::SLe,
            Self::SGe => Self::SLt,
        }
    }

    /// The predicate that holds for exchanged operands when this one does.
    pub const fn swapped(self) -> Self {
        match self {
            Self::Eq | Self::Ne => self,
            Self::ULt => Self::UGt,
            Self::ULe => Self::UGe,
            Self::UGt => Self::ULt,
            Self::UGe => Self::ULe,
            Self::SLt => Self::SGt,
            Self::SLe => Self::SGe,
            Self::SGt => Self::SLt,
            Self::SGe => Self::SLe,
        }
    }

    /// Whether it takes its operands as numbers with a sign.
    pub const fn is_signed(self) -> bool {
        match self {
            Self::SLt | Self::SLe | Self::SGt | Self::SGe => true,
            Self::Eq | Self::Ne | Self::ULt | Self::ULe | Self::UGt | Self::UGe => false,
        }
    }
}
