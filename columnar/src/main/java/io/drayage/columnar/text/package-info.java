/** The encodings of texts. */
@NullMarked
package io.drayage.columnar.text;

import org.jspecify.annotations.NullMarked;
