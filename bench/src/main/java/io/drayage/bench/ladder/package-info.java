/**
 * The {@code ladder} command: from the published system to the fastest, one change at a time, and
 * what each change brings by itself.
 */
@NullMarked
package io.drayage.bench.ladder;

import org.jspecify.annotations.NullMarked;
