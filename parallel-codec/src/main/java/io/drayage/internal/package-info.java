/** What the libraries of this project share and nobody else may use. */
@NullMarked
package io.drayage.internal;

import org.jspecify.annotations.NullMarked;
