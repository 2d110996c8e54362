/** Column values in the encodings of {@link io.drayage.columnar}. */
@NullMarked
package io.drayage.serializer.columnar;

import org.jspecify.annotations.NullMarked;
