/** Standard output: its only way out, which fails loudly. */
@NullMarked
package io.drayage.cli.output;

import org.jspecify.annotations.NullMarked;
