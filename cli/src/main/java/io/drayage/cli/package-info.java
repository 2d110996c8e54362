/** The {@code drayage} command line. */
@NullMarked
package io.drayage.cli;

import org.jspecify.annotations.NullMarked;
