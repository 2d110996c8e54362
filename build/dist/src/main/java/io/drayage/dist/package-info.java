/** Makes what a release has besides jars: man pages, and the documentation as a site. */
@NullMarked
package io.drayage.dist;

import org.jspecify.annotations.NullMarked;
