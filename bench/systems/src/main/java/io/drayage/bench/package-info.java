/** Sizes and rates as users write them. */
@NullMarked
package io.drayage.bench;

import org.jspecify.annotations.NullMarked;
