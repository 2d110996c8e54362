/** Options that several commands have, and the checks of options. */
@NullMarked
package io.drayage.cli.options;

import org.jspecify.annotations.NullMarked;
