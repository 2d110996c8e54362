/** The {@code tune} command: which settings a machine, a link and a cargo are served best by. */
@NullMarked
package io.drayage.bench.tune;

import org.jspecify.annotations.NullMarked;
