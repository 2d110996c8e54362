@NullMarked
package io.drayage.bench.snapshot;

import org.jspecify.annotations.NullMarked;
