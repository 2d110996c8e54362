/** The encoding of floating-point values that are decimals. */
@NullMarked
package io.drayage.columnar.decimal;

import org.jspecify.annotations.NullMarked;
