/** The encodings of integers, which those of other values and of bits consist of. */
@NullMarked
package io.drayage.columnar.integer;

import org.jspecify.annotations.NullMarked;
