/** How fast the kernels of the columnar encodings are, each by itself: run with JMH. */
@NullMarked
package io.drayage.bench.columnar;

import org.jspecify.annotations.NullMarked;
