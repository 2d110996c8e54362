/** Results over time: the folder that keeps them, and the page of their changes. */
@NullMarked
package io.drayage.bench.history;

import org.jspecify.annotations.NullMarked;
