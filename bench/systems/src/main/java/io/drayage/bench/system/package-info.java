/** Systems under test: their notation, and how one is put together from codec and transport. */
@NullMarked
package io.drayage.bench.system;

import org.jspecify.annotations.NullMarked;
