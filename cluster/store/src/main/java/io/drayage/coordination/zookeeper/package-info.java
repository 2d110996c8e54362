/** Coordination by ZooKeeper, of an ensemble or within this process. */
@NullMarked
package io.drayage.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
