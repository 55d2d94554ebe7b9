# Where the constants R and V of src/math/normal.ts and the Chebyshev series of src/math/special.ts come from.
# Needs mpmath. Run: python3 test/reference/constants.py
from mpmath import cos, erfc, exp, findroot, log, mp, mpf, nstr, pi, sqrt

mp.dps=40
f=lambda x: exp(-x*x/2)
def close(r):
    v=r*f(r)+sqrt(pi/2)*erfc(r/sqrt(2)); x=r
    for i in range(2,256): x=sqrt(-2*log(v/x+f(x)))
    return v/x+f(x)-1
r=findroot(close,(mpf('3.65415288'),mpf('3.65415289')))
print(nstr(r,20), nstr(r*f(r)+sqrt(pi/2)*erfc(r/sqrt(2)),20))
k=mpf('3.75'); n=60
def g(t):
    x=k*(1+t)/(1-t); 
    return (1+2*x)*exp(x*x)*erfc(x) if x<1000 else (1+2*x)/(x*sqrt(pi))*(1-1/(2*x*x)+3/(4*x**4))
nodes=[cos(pi*(j+mpf(1)/2)/n) for j in range(n)]
vals=[g(t) for t in nodes]
for i in range(25):
    c=2*sum(v*cos(i*pi*(j+mpf(1)/2)/n) for j,v in enumerate(vals))/n
    if i==0: c/=2
    print(nstr(c,19))
