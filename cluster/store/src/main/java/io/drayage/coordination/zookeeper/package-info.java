/**
 * Coordination by ZooKeeper, as an ensemble or within this process.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
