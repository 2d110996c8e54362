/**
 * The encodings of texts.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.columnar.text;

import org.jspecify.annotations.NullMarked;
