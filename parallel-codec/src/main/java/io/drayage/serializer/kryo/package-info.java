/** Kryo, as the study ran it (defaults, unsafe) and tuned. */
@NullMarked
package io.drayage.serializer.kryo;

import org.jspecify.annotations.NullMarked;
