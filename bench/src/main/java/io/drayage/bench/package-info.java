/** The {@code drayage} command line. */
@NullMarked
package io.drayage.bench;

import org.jspecify.annotations.NullMarked;
