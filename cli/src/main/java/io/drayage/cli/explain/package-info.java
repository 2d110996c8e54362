/** Commands that explain results: {@code profile} and {@code report}. */
@NullMarked
package io.drayage.cli.explain;

import org.jspecify.annotations.NullMarked;
