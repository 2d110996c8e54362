/** Tests of the warm-up of nodes. */
@NullMarked
package io.drayage.warmup;

import org.jspecify.annotations.NullMarked;
