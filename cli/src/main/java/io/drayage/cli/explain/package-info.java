/** Commands that explain a comparison: profiles, the machine's limits, the codecs. */
@NullMarked
package io.drayage.cli.explain;

import org.jspecify.annotations.NullMarked;
