/** Objects to bytes and back: one {@link io.drayage.serializer.Serializer} for each way. */
@NullMarked
package io.drayage.serializer;

import org.jspecify.annotations.NullMarked;
