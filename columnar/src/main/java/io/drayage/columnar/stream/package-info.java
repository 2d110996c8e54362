/**
 * What all encodings have in common: values and where they go, headers, the {@link
 * io.drayage.columnar.stream.Encoding} that each encoding implements, and what is known of the
 * values of a stream when one is chosen.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.columnar.stream;

import org.jspecify.annotations.NullMarked;
