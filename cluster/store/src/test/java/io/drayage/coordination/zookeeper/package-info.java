@NullMarked
package io.drayage.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
