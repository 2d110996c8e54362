/** What Arrow Flight keeps within its own package. */
@NullMarked
package org.apache.arrow.flight;

import org.jspecify.annotations.NullMarked;
