/** What one writes in an afternoon: Kryo, Zstandard with its own threads, and one plain socket. */
@NullMarked
package io.drayage.bench.peers.socket;

import org.jspecify.annotations.NullMarked;
