/** Texts in few objects. */
@NullMarked
package io.drayage.cargo.internal;

import org.jspecify.annotations.NullMarked;
