/** Kryo, as the study ran it (defaults, unsafe) and tuned. */
@NullMarked
package io.drayage.baseline.kryo;

import org.jspecify.annotations.NullMarked;
