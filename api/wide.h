#pragma once

namespace batholith {

// A product of two amounts, or a sum of many, without overflow. The standard has no name for 128
// bits.
__extension__ using Wide = __int128;

}  // namespace batholith
