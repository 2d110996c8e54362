/** The study's figures, as far as they stand beside ours. */
@NullMarked
package io.drayage.bench.published;

import org.jspecify.annotations.NullMarked;
