/**
 * What the libraries of this project share and nobody else may use.
 *
 * <p>Internal: changes without notice.
 */
@NullMarked
package io.drayage.internal;

import org.jspecify.annotations.NullMarked;
