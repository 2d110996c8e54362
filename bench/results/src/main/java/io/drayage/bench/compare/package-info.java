/** Whether one run differs from another, and for the worse. */
@NullMarked
package io.drayage.bench.compare;

import org.jspecify.annotations.NullMarked;
