@NullMarked
package io.drayage.cli.cluster;

import org.jspecify.annotations.NullMarked;
